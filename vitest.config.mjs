import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';
import { apiLimits } from './packages/console/api-limits.js';
import { buildBundle } from './scripts/setup/build.mjs';
import { LongestFirst } from './scripts/testing/longest-first.mjs';
import { makeTemporaryFolder } from './scripts/testing/temporary-folder.mjs';

// What the endings of names mean, CONTRIBUTING.md says: .db, .postgres, .e2e, .alone, and .slow with any of them.
const never = '**/node_modules/**';
const alone = '**/*.alone.{test,slow.test}.js';
const postgresAlone = '**/*.postgres.{test,slow.test}.js';
const load = 'test/dist/load.slow.test.js';
const trainings = [
  'test/dist/console/{every-page,models,story}.slow.test.js',
  'test/dist/train-{by-command,through-http,detector-through-http}.slow.test.js',
];
/**
 * What is tested once more with two replicas in the place of each service: npm run test:replicas. Tests of limits on connections,
 * and of the spool, are about one process; those of the service itself are about its data folder.
 */
const onReplicas = [
  'test/dist/{clients,typed-client}/*.test.js',
  'test/dist/{first-answer,image-kinds,texts-and-faces}.e2e.test.js',
  'test/dist/{next-search,train-detector-through-http}.slow.test.js',
  'test/dist/console/{account,datasets,faces,help,labelling,models}.*.js',
  'packages/server/dist/http/isolation.slow.test.js',
  'packages/server/dist/http/{every-answer,docs,asked-ids,health}.test.js',
  'packages/server/dist/{wire,http/api,live}/**/*.test.js',
  'packages/server/dist/**/routes/*.test.js',
  'test/dist/replicas/every-blob.slow.test.js',
  'test/dist/drop.e2e.test.js',
  'test/dist/console/{administration,drops,hostile-names}.*.js',
  'test/dist/bad-input/*.test.js',
];
const notOnReplicas = [
  // They send the headers of a balancer that ends TLS.
  'packages/server/dist/http/api/session/host-cookie.test.js',
  // They look for drafts of models in the data folder, or put orphans there.
  'packages/server/dist/training/models/routes/{limits,upload}.slow.test.js',
  'packages/server/dist/http/api/sweeps.test.js',
  // They start several services on one database themselves.
  'packages/server/dist/**/*.postgres.{test,slow.test}.js',
];
/** How much a function must have done until V8 optimises it, thirty times as much as by default. */
const patience = '--interrupt-budget=2000000';
/** Where sources are watched, only what is compiled follows them. */
const entries =
  process.env.TEST_SCOPE === 'watch'
    ? []
    : ['--import', new URL('scripts/testing/bundled-entries.mjs', import.meta.url).href];
/** Writes what each test file costs: cost-of-file.mjs. */
const costs = process.env.TEST_COSTS ? ['./scripts/testing/cost-of-file.mjs'] : [];
/** What `npm test` leaves to `npm run test:full`. */
const isShort = process.env.TEST_SCOPE === 'short';
const leftOut = isShort ? ['**/*.slow.test.js'] : [];

// Services that tests start are the bundle; `tsc -b` alone leaves an older one.
await buildBundle(import.meta.dirname);

// Inherited by the processes of the tests and all that these start.
process.env.TMPDIR = makeTemporaryFolder();

// The tests run as compiled; processes and threads that they start, as bundled: what is tested is what ships.
// Those of stores run on SQLite and, in the full run, once more on a real PostgreSQL.
export default defineConfig({
  test: {
    exclude: [never],
    setupFiles: costs,
    pool: 'forks',
    // They and the services that they start live for seconds: V8 spent a sixth of their CPU on optimising what then ended.
    execArgv: [patience, ...entries],
    // Two or three more than the cores that a machine of ours has at least: those that wait for a service leave them idle.
    maxWorkers: process.env.CI === 'true' && process.env.TEST_SCOPE === undefined ? 5 : 4,
    // One file after the other in a process, which loads our modules once: they keep no state.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    server: {
      deps: { external: [/\/(packages\/\w+|bench|test|scripts\/generate)\/dist\/(?!.*\.test\.js)/] },
    },
    env: {
      // Tests that load ONNX Runtime themselves send nothing either.
      ORT_DISABLE_TELEMETRY: '1',
      // Of services that tests start: a second process for recognition takes two seconds of a core at each start.
      LYNCEUS_INFERENCE_PROCESSES: '1',
    },
    // Far above what any takes, for the machine may be busy: a test of time measures it.
    testTimeout: 180_000,
    // On a busy machine. The run lists what needed it, and fails where the input was random: failures-at-once.mjs.
    retry: 1,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    projects:
      process.env.TEST_SCOPE === 'replicas'
        ? [replicas()]
        : [
            {
              // They start the service in processes of its own, and leave theirs as it was.
              extends: true,
              test: {
                name: 'whole',
                include: ['bench/dist/**/*.test.js', 'test/dist/**/*.test.js'],
                exclude: [never, alone, load, ...trainings, ...leftOut],
              },
            },
            {
              // Those that change the process they are in: its priority, what sharp may open.
              extends: true,
              test: {
                name: 'alone',
                include: [`packages/*/dist/${alone}`, `test/dist/${alone}`],
                exclude: [never, ...leftOut],
                isolate: true,
              },
            },
            ...(isShort
              ? []
              : [
                  {
                    // Last and with nothing beside it: it judges times under all the load that the machine takes.
                    extends: true,
                    test: {
                      name: 'load',
                      include: [load],
                      isolate: true,
                      execArgv: [],
                      sequence: { groupOrder: 2 },
                    },
                  },
                  {
                    // After all others: they wait for training runs, whose processes have the lowest priority and get no time
                    // beside them.
                    extends: true,
                    test: {
                      name: 'trainings',
                      include: trainings,
                      maxWorkers: 2,
                      sequence: { groupOrder: 3 },
                    },
                  },
                ]),
            {
              extends: true,
              test: {
                name: 'sqlite',
                include: ['packages/*/dist/**/*.test.js'],
                exclude: [never, alone, postgresAlone, ...leftOut],
                globalSetup: setupOf('sqlite'),
              },
            },
            {
              // The page's own: vite compiles them as it compiles the page.
              extends: true,
              plugins: [apiLimits()],
              test: {
                name: 'console',
                include: ['packages/console/src/**/*.test.{ts,tsx}'],
                setupFiles: [...costs, './packages/console/src/fixtures/document.ts'],
                sequence: { groupOrder: 1 },
              },
            },
            ...(await postgresProjects()),
          ],
  },
});

function replicas() {
  const setup = './test/dist/replicas/global-setup.js';
  return {
    extends: true,
    test: {
      name: 'replicas',
      include: onReplicas,
      exclude: [never, ...notOnReplicas],
      globalSetup: existsSync(setup) ? [setup] : [],
    },
  };
}

async function postgresProjects() {
  const cluster = './bench/dist/postgres/cluster.js';
  if (isShort || !existsSync(cluster)) return [];
  const { findPostgres } = await import(pathToFileURL(resolve(cluster)).href);
  if (findPostgres() === null && process.env.CI !== 'true') {
    console.warn('skipped: tests on PostgreSQL, whose programs initdb and pg_ctl are not installed');
    return [];
  }
  const include = ['db', 'postgres'].map((name) => `packages/server/dist/**/*.${name}.{test,slow.test}.js`);
  return [
    {
      extends: true,
      test: { name: 'postgres', include, globalSetup: setupOf('postgres') },
    },
  ];
}

function setupOf(database) {
  const setup = `./test/dist/${database}/global-setup.js`;
  return existsSync(setup) ? [setup] : [];
}
