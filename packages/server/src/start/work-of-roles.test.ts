import { expect, test } from 'vitest';
import { loadSettings } from '../core/load-settings.js';
import { type Role, roles } from '../core/roles.js';
import { createBuiltinModels } from '../service/builtin/builtin-models.js';
import type { JobKind } from '../service/jobs/job.js';
import { jobsOfRoles, modelIdsOfRoles, undoneRoles } from './work-of-roles.js';

const load = (env: Record<string, string>) => loadSettings({ env, cwd: '/' }).settings;
const idsOf = (list: string) => modelIdsOfRoles(load({ LYNCEUS_ROLES: list }), createBuiltinModels());

test('each kind of jobs is of one role, and a service takes those of its roles', () => {
  const kindOf = (kind: string, role?: JobKind['role']): JobKind => ({
    kind,
    maxAttempts: 1,
    concurrency: 1,
    run: async () => null,
    ...(role ? { role } : {}),
  });
  const modules = [
    { kinds: [kindOf('heavy', 'training'), kindOf('usual')] },
    {},
    { kinds: [kindOf('named', 'jobs')] },
  ];
  const taken = (...of: readonly Role[]) =>
    jobsOfRoles(modules, new Set(of)).flatMap(({ kinds = [] }) => kinds.map(({ kind }) => kind));
  expect(taken(...roles)).toEqual(['heavy', 'usual', 'named']);
  expect(taken('training')).toEqual(['heavy']);
  expect(taken('jobs', 'ftp')).toEqual(['usual', 'named']);
  expect(taken('http', 'ftp')).toEqual([]);
});

test('models are needed by the roles that use them', () => {
  expect(idsOf('ftp')).toEqual([]);
  expect([...idsOf('training')].sort()).toEqual(['coco-ssd', 'inception-v3']);
  expect(idsOf('http')).toEqual(idsOf('http,ftp,jobs,training,streams'));
  expect(idsOf('jobs')).toContain('centernet-coco');
});

test('roles that nobody has are known where the service is alone on SQLite', () => {
  expect(undoneRoles(load({}))).toBeNull();
  expect(undoneRoles(load({ LYNCEUS_ROLES: 'http, jobs' }))).toEqual(['ftp', 'training', 'streams']);
  const databaseUrl = 'postgres://lynceus:secret@127.0.0.1:5432/lynceus';
  expect(undoneRoles(load({ LYNCEUS_ROLES: 'http', LYNCEUS_DATABASE_URL: databaseUrl }))).toBeNull();
});

test.each(['', 'web', 'http,,ftp', 'http ftp', 'HTTP', 'http,constructor'])(
  'the list of roles %j is refused with the right ones',
  (list) => {
    const refused = () => loadSettings({ env: { LYNCEUS_CONFIG: '', LYNCEUS_ROLES: list }, cwd: '/' });
    // A variable set to nothing is as not set.
    if (list === '') expect(refused().settings.roles).toBe('http,ftp,jobs,training,streams');
    else {
      expect(refused).toThrow(
        `roles (from LYNCEUS_ROLES) is ${JSON.stringify(list)} but must be one or more of http, ftp, jobs, training, streams, comma separated.`,
      );
    }
  },
);
