import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOnce } from '../cli/fixtures/start-once.js';
import { sharedTiming } from '../service/replicas/replica-rows.js';
import { openReplicas } from '../service/replicas/replicas.js';
import { dataFolder } from '../storage/data-folder.js';
import { createTestDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { openCommandStorage, type Storage } from '../storage/open-storage.js';
import { openInstallationKeys } from '../storage/secrets/installation-key.js';
import { readKeyState } from '../storage/secrets/key-check.js';
import { ringOf } from '../storage/secrets/key-ring.js';
import { sealContexts } from '../storage/secrets/sealed-values.js';
import { createSecretBox } from '../storage/secrets/secret-box.js';

const commandLine = new URL('../bundle/lynceus.mjs', import.meta.url).href;
const [old, next] = [randomBytes(32), randomBytes(32)];
const count = 250;
let dir: string;
let testDatabase: TestDatabase;
let storage: Storage;
let blocker: Client;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-killed-reseal-'));
  testDatabase = await createTestDatabase(dir);
  const { databaseUrl } = testDatabase;
  await startOnce(dir, { secretKey: old.toString('base64'), databaseUrl });
  storage = await openCommandStorage(dataFolder(dir), { databaseUrl });
  blocker = new Client(databaseUrl);
  await blocker.connect();
});
afterEach(async () => {
  await blocker.end();
  await storage.close();
  await testDatabase.drop();
  rmSync(dir, { recursive: true });
});

/** The keys of a service in the third step of a replacement. */
const settings = () => ({
  secretKey: next.toString('base64'),
  secretKeyFile: '',
  acceptedSecretKeys: old.toString('base64'),
  databaseUrl: testDatabase.databaseUrl,
});

async function sealWithOldKey(): Promise<void> {
  const { query, write } = storage.database;
  const box = createSecretBox([old]);
  await write([
    query
      .insertInto('account')
      .values({ id: 1, name: 'one', plan: 'paid', call_limit: null, result_days: 1, created_at: 1 }),
    ...Array.from({ length: count }, (_, index) =>
      query.insertInto('drop_box').values({
        account_id: 1,
        id: index,
        uid: `uid ${index}`,
        name: 'desk',
        user_name: `desk ${index}`,
        key_id: index,
        settings: '{}',
        destination: '{}',
        created_at: 1,
        deleted_at: null,
        sealed_secrets: box.seal('a password', sealContexts.dropSecrets(`uid ${index}`)),
      }),
    ),
  ]);
}
async function countOpenedBy(key: Buffer): Promise<number> {
  const rows = await storage.database.query.selectFrom('drop_box').selectAll().execute();
  const box = createSecretBox([key]);
  return rows.filter(({ sealed_secrets: sealed, uid }) =>
    box.open(sealed ?? '', sealContexts.dropSecrets(uid)),
  ).length;
}
/** `lynceus secret-key reseal` as a process of its own. */
function startReseal() {
  const script = `
    const { runCommandLine } = await import(${JSON.stringify(commandLine)});
    process.exitCode = await runCommandLine(['secret-key', 'reseal']);`;
  const { secretKey, acceptedSecretKeys, databaseUrl } = settings();
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      LYNCEUS_DATA_DIR: dir,
      LYNCEUS_DATABASE_URL: databaseUrl,
      LYNCEUS_SECRET_KEY: secretKey,
      LYNCEUS_ACCEPTED_SECRET_KEYS: acceptedSecretKeys,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return { child, closed: once(child, 'close').then(([code]: unknown[]) => ({ code, output })) };
}

test('kill -9 amid re-sealing leaves every secret open, and another run seals the rest; meanwhile services stay alive', async () => {
  await sealWithOldKey();
  const { database } = storage;
  const keys = await openInstallationKeys({ database, folder: dataFolder(dir), settings: settings() });
  expect(keys).toEqual(ringOf(next, settings()));
  const service = await openReplicas({
    ...{ database, clock: database.clock, keys, isAlone: false, timing: sharedTiming },
    logger: { info: () => undefined, warn: () => undefined },
    version: '1.2.3',
    roles: new Set(['http']),
  });
  // In the second of the units, which waits for it.
  await blocker.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  await blocker.query('SELECT id FROM drop_box WHERE id = 150 FOR UPDATE');
  const killed = startReseal();
  await Promise.race([
    killed.closed.then(({ output }) => Promise.reject(new Error(output))),
    expect.poll(() => countOpenedBy(next), { timeout: 60_000 }).toBeGreaterThan(0),
  ]);
  // A unit that stands still holds up no heartbeat, else all services would count as dead.
  await blocker.query('SELECT id FROM installation_key FOR SHARE NOWAIT');
  await service.beat();
  killed.child.kill('SIGKILL');
  killed.closed.catch(() => undefined);
  await killed.closed;
  await blocker.query('ROLLBACK');
  expect((await countOpenedBy(old)) + (await countOpenedBy(next))).toBe(count);
  expect(await readKeyState(database)).toMatchObject({ isResealing: true });
  const { code, output } = await startReseal().closed;
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/values were encrypted/) });
  expect([output.includes(settings().secretKey), output.includes(settings().acceptedSecretKeys)]).toEqual([
    false,
    false,
  ]);
  expect([await countOpenedBy(old), await countOpenedBy(next)]).toEqual([0, count]);
  expect(await readKeyState(database)).toMatchObject({ previous: null, isResealing: false });
  await service.beat();
  await service.component.stop();
}, 180_000);
