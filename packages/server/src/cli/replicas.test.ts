import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { roles } from '../core/roles.js';
import { aloneTiming } from '../service/replicas/replica-rows.js';
import { openReplicas } from '../service/replicas/replicas.js';
import { dataFolder } from '../storage/data-folder.js';
import { openServiceStorage } from '../storage/open-storage.js';
import { runCommandLine } from './main.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-cli-replicas-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function lynceus(...words: string[]) {
  const printed: string[] = [];
  const code = await runCommandLine(words, {
    env: { LYNCEUS_DATA_DIR: dir },
    cwd: dir,
    print: (text) => printed.push(text),
    note: (text) => printed.push(text),
  });
  return { code, printed: printed.join('\n') };
}

test('replicas lists the service that runs, and nothing once it has stopped', async () => {
  const { database, close } = await openServiceStorage(dataFolder(dir));
  const replicas = await openReplicas({
    database,
    clock: database.clock,
    logger: { info: () => undefined, warn: () => undefined },
    version: '1.2.3',
    roles: new Set(roles),
    isAlone: true,
    timing: aloneTiming,
    host: 'camera\u001b[1m-hall',
  });
  const { code, printed } = await lynceus('replicas');
  expect([code, printed]).toEqual([
    0,
    expect.stringMatching(/1\.2\.3 +http,ftp,jobs,training,streams +alive +yes/),
  ]);
  expect(printed).not.toContain('\u001b[1m');
  const list = JSON.parse((await lynceus('replicas', '--json')).printed);
  expect(list).toMatchObject([{ uid: replicas.uid, version: '1.2.3', isAlive: true, isLeader: true }]);
  await replicas.component.stop();
  expect((await lynceus('replicas', '--json')).printed).toBe('[]');
  await close();
});
