import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFreePort } from '../delivery/fixtures/started-program.js';
import { examineNode } from '../operate/doctor/machine.js';
import { dataFolder } from '../storage/data-folder.js';
import { openServiceStorage } from '../storage/open-storage.js';
import { runCommandLine } from './main.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-cli-doctor-'));
});
afterEach(async () => {
  process.exitCode = undefined;
  await rm(dir, { recursive: true, force: true });
});

/** At which nothing listens. */
const freePort = String(await findFreePort());

async function doctor(env: Record<string, string> = {}, ...words: string[]) {
  const printed: string[] = [];
  process.exitCode = undefined;
  const code = await runCommandLine(['doctor', ...words], {
    env: {
      LYNCEUS_DATA_DIR: join(dir, 'data'),
      LYNCEUS_PORT: freePort,
      LYNCEUS_DISK_RESERVE_BYTES: '0',
      ...env,
    },
    cwd: dir,
    print: (text) => printed.push(text),
    note: () => undefined,
  });
  return { code, text: printed.join('\n') };
}

async function finding(subject: string, env: Record<string, string> = {}) {
  const { findings } = JSON.parse((await doctor(env, '--json')).text);
  return findings.find((each: { readonly subject: string }) => each.subject === subject);
}

test('a machine where nothing was started yet has no data folder, and gets none', async () => {
  const { text } = await doctor({ LYNCEUS_MODELS_DIR: join(dir, 'models') });
  expect(text).toMatch(/ok +system +\S/);
  expect(text).toMatch(/! +data folder +\S+data is not there yet/);
  expect(text).toMatch(/! +database +SQLite, \S+: there is none yet/);
  expect(text).toMatch(/! +service +nothing listens at http:\/\/127\.0\.0\.1:\d+\/readyz/);
  expect(existsSync(join(dir, 'data'))).toBe(false);
});

test('it ends with 1 where models are missing, and says what to run', async () => {
  const { code, text } = await doctor({ LYNCEUS_MODELS_DIR: join(dir, 'models') });
  expect(text).toMatch(/!! +models +not installed in \S+: .*coco-ssd/);
  expect(text).toContain('-> npm run -s lynceus -- models install');
  expect(text).toMatch(/\d wrong: see the lines with !!/);
  expect(code).toBe(1);
});

test('settings that are wrong are a finding beside what is known of the machine', async () => {
  const { code, text } = await doctor({ LYNCEUS_PORT: 'eighty' });
  expect(code).toBe(1);
  expect(text).toMatch(/!! +settings +port \(from LYNCEUS_PORT\)/);
  expect(text).toMatch(/ok +Node\.js/);
});

test('secrets are in no answer', async () => {
  const secretKey = 'k'.repeat(43);
  const url = 'postgres://lynceus:very-secret@127.0.0.1:1/lynceus';
  const env = {
    LYNCEUS_DATABASE_URL: url,
    LYNCEUS_SECRET_KEY: secretKey,
    LYNCEUS_FIRST_KEY: 'first-secret-key-of-many-letters',
  };
  for (const words of [[], ['--json']]) {
    const { code, text } = await doctor(env, ...words);
    expect(code).toBe(1);
    expect(text).toContain('LYNCEUS_DATABASE_URL');
    for (const secret of ['very-secret', secretKey, 'first-secret-key']) expect(text).not.toContain(secret);
  }
});

test('a database that is there is named, and what failed lately', async () => {
  const storage = await openServiceStorage(dataFolder(join(dir, 'data')));
  expect(await finding('database')).toMatchObject({
    state: 'fine',
    text: expect.stringMatching(/^SQLite, /),
  });
  expect(await finding('failures')).toEqual({ subject: 'failures', state: 'fine', text: 'none in 7 days' });
  const { database } = storage;
  const nowMs = Date.now();
  const [account] = await database.write([
    database.query
      .insertInto('account')
      .values({ name: 'studio', plan: 'paid', call_limit: null, result_days: 1, created_at: nowMs })
      .returning('id'),
  ]);
  await database.write([
    database.query.insertInto('job').values({
      ...{
        id: crypto.randomUUID(),
        account_id: Number(account?.rows[0]?.['id']),
        kind: 'faces-import',
        subject: '1',
      },
      ...{ payload: '{}', state: 'failed', due_at: nowMs, error: 'the zip is damaged\u001b[1m' },
      ...{ created_at: nowMs, ended_at: nowMs },
    }),
  ]);
  expect(await finding('failures')).toMatchObject({
    state: 'notice',
    text: expect.stringMatching(/job faces-import of account \d+: the zip is damaged/),
  });
  expect((await doctor()).text).not.toContain('\u001b[1m');
  await storage.close();
  await writeFile(
    dataFolder(join(dir, 'data')).databasePath,
    'no database at all, but some bytes'.repeat(100),
  );
  expect(await finding('database')).toMatchObject({ state: 'wrong' });
});

test('data that a newer version used is a notice that names it', async () => {
  await (await openServiceStorage(dataFolder(join(dir, 'data')), { version: '99.0.0' })).close();
  expect(await finding('database')).toMatchObject({
    state: 'notice',
    text: expect.stringMatching(/used by version 99\.0\.0$/),
    advice: expect.stringContaining('start version 99.0.0'),
  });
});

test('a data folder whose identity is damaged is wrong, with the way out', async () => {
  await mkdir(join(dir, 'data'));
  await writeFile(dataFolder(join(dir, 'data')).identityPath, '{');
  expect(await finding('data folder')).toMatchObject({
    state: 'wrong',
    text: expect.stringMatching(/adopt/),
  });
});

test('a disk below the reserve is wrong', async () => {
  await mkdir(join(dir, 'data'));
  expect(await finding('disk', { LYNCEUS_DISK_RESERVE_BYTES: '0' })).toMatchObject({ state: 'fine' });
  expect(await finding('disk', { LYNCEUS_DISK_RESERVE_BYTES: '999999999999999' })).toMatchObject({
    state: 'wrong',
    advice: 'make room, or lower diskReserveBytes',
  });
});

test.each([
  ['ours', { ready: true, components: [{ name: 'database', ready: true }] }, 'fine', /: ready$/],
  [
    'one with notices',
    { ready: true, components: [{ name: 'streams', ready: true, notices: ['live streams are off'] }] },
    'notice',
    /streams: live streams are off$/,
  ],
  [
    'one that is not ready',
    { ready: false, components: [{ name: 'inference', ready: false, reason: 'starting' }] },
    'wrong',
    /inference: starting$/,
  ],
  ['another program', { hello: 'world' }, 'wrong', /another program answers/],
  ['no JSON', null, 'wrong', /no answer that is ours/],
])('the service at its port is asked: %s', async (_name, answer, state, text) => {
  const server = createServer((_request, response) => response.end(answer && JSON.stringify(answer)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    expect(await finding('service', { LYNCEUS_PORT: String(port) })).toMatchObject({
      ...{ state, text: expect.stringMatching(text) },
    });
  } finally {
    server.close();
  }
});

test('versions of Node.js below the oldest are wrong', () => {
  expect(
    ['18.20.0', '20.18.9', '20.19.0', '22.1.0', '24.0.0'].map((each) => examineNode(each).state),
  ).toEqual([...['wrong', 'wrong', 'fine', 'fine', 'fine']]);
});
