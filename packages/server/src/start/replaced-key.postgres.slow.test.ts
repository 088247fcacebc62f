import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../cli/main.js';
import { createEmptyDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { type ServiceProcess, startServiceProcess } from './fixtures/service-process.js';

const firstKey = 'the-first-key-of-this-test';
const [old, next] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
/** Made so far. */
let drops = 0;
let dir: string;
let testDatabase: TestDatabase;
const services: ServiceProcess[] = [];
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-replaced-key-'));
  testDatabase = await createEmptyDatabase();
  drops = 0;
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.kill();
  await testDatabase.drop();
  rmSync(dir, { recursive: true, force: true });
});

/** Settings of a service: the key that seals, and a file with those that it accepts. */
function settings(name: string, sealing: string, accepted?: string): Record<string, string> {
  const path = join(dir, `${name}-accepted`);
  if (accepted !== undefined) writeFileSync(path, `${accepted}\n`);
  return {
    LYNCEUS_FTP_PORT: '0',
    LYNCEUS_DATABASE_URL: testDatabase.databaseUrl,
    LYNCEUS_JOIN_INSTALLATION: 'true',
    LYNCEUS_FIRST_KEY: firstKey,
    LYNCEUS_SECRET_KEY: sealing,
    ...(accepted === undefined ? {} : { LYNCEUS_ACCEPTED_SECRET_KEYS_FILE: path }),
    LYNCEUS_DATA_DIR: join(dir, name),
    LYNCEUS_SPOOL_DIR: join(dir, `${name}-spool`),
  };
}

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startServiceProcess(dir, env);
  services.push(service);
  return service;
}

async function call({ base }: ServiceProcess, path: string, body?: object) {
  const answer = await fetch(`${base}${path}`, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: { authorization: `Bearer ${firstKey}`, 'content-type': 'application/json' },
  });
  expect(answer.status, await answer.clone().text()).toBeLessThan(300);
  return answer.json() as Promise<{
    readonly data?: readonly { readonly destination: { readonly secrets: readonly string[] } }[];
  }>;
}
async function seal(service: ServiceProcess): Promise<void> {
  drops += 1;
  await call(service, '/api/drops', {
    name: `desk ${drops}`,
    destination: {
      kind: 'http',
      address: 'https://somewhere.example/in',
      secrets: { token: 'of-the-destination' },
    },
  });
}
/** How many destinations there are whose secrets this service opens. */
async function countOpened(service: ServiceProcess): Promise<number> {
  const { data = [] } = await call(service, '/api/drops');
  return data.filter(({ destination }) => destination.secrets.length === 1).length;
}
async function reseal(env: Record<string, string>) {
  const lines: string[] = [];
  const code = await runCommandLine(['secret-key', 'reseal'], {
    env,
    cwd: dir,
    print: (text) => lines.push(text),
    note: (text) => lines.push(text),
  });
  return { code, text: lines.join('\n') };
}

test('the key is replaced on two services that are restarted one after the other, and every secret stays open', async () => {
  let one = await start(settings('one', old));
  let two = await start(settings('two', old));
  await seal(one);
  // Before the others accept it, nothing is sealed with a new key.
  await expect(start(settings('three', next, old))).rejects.toThrow(/LYNCEUS_ACCEPTED_SECRET_KEYS/);
  const steps: readonly (readonly [string, string?])[] = [
    [old, next],
    [next, old],
  ];
  for (const [sealing, accepted] of steps) {
    await one.stop();
    one = await start(settings('one', sealing, accepted));
    await seal(one);
    await seal(two);
    expect(await Promise.all([countOpened(one), countOpened(two)])).toEqual([drops, drops]);
    if (sealing === next)
      expect(await reseal(settings('one', next, old))).toMatchObject({
        code: 1,
        text: expect.stringMatching(/seal with another key still/),
      });
    await two.stop();
    two = await start(settings('two', sealing, accepted));
  }
  const { code, text } = await reseal(settings('one', next, old));
  expect([code, text]).toEqual([0, expect.stringMatching(/^4 values were encrypted/)]);
  await two.stop();
  two = await start(settings('two', next));
  await seal(two);
  expect(await Promise.all([countOpened(one), countOpened(two)])).toEqual([drops, drops]);
  await expect(start(settings('three', old))).rejects.toThrow(/is another than this database is used with/);
  await expect(start(settings('three', old, next))).rejects.toThrow(/is the one before/);
}, 300_000);
