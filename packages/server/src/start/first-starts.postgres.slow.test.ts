import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';

const entry = fileURLToPath(new URL('../bundle/service-without-models.mjs', import.meta.url));
let dir: string;
let testDatabase: TestDatabase;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-first-starts-'));
  testDatabase = await createEmptyDatabase();
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await testDatabase.drop();
  rmSync(dir, { recursive: true, force: true });
});

const secretKey = randomBytes(32).toString('base64url');

async function start(name: string) {
  const child = spawn(process.execPath, [entry], {
    cwd: dir,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      LYNCEUS_PORT: '0',
      LYNCEUS_FTP_PORT: '0',
      LYNCEUS_DATABASE_URL: testDatabase.databaseUrl,
      LYNCEUS_JOIN_INSTALLATION: 'true',
      LYNCEUS_SECRET_KEY: secretKey,
      LYNCEUS_DATA_DIR: join(dir, name),
      LYNCEUS_MODELS_DIR: join(dir, 'models'),
      LYNCEUS_SPOOL_DIR: join(dir, `${name}-spool`),
      LYNCEUS_INFERENCE_PROCESSES: '1',
    },
  });
  children.push(child);
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the service ended before it was ready: ${output}`);
  });
  await Promise.race([ended, expect.poll(() => output).toMatch(/ready at \S+/)]);
  ended.catch(() => undefined);
  const base = /ready at (\S+)/.exec(output)?.[1] ?? '';
  const keyPath = join(dir, name, 'first-key');
  return {
    child,
    base,
    key: existsSync(keyPath) ? readFileSync(keyPath, 'utf8').trim() : null,
    link: /\S+\/welcome#[\w-]+/.exec(output)?.[0] ?? null,
    output: () => output,
  };
}
async function query(text: string) {
  const client = new Client(testDatabase.databaseUrl);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

test('two first starts at once on an empty database make one key and one link for the administrator', async () => {
  const both = await Promise.all([start('one'), start('two')]);
  expect(await query("select name from account where name = 'default'")).toHaveLength(1);
  expect(await query('select id from api_key where is_web = 0')).toHaveLength(1);
  expect(await query("select id from web_link where kind = 'first'")).toHaveLength(1);
  expect(await query('select uid from installation')).toHaveLength(1);
  expect(await query('select uid from replica')).toHaveLength(2);
  const keys = both.flatMap(({ key }) => key ?? []);
  expect(keys).toHaveLength(1);
  // The one key opens both.
  for (const { base } of both) {
    const answer = await fetch(`${base}/api/account`, { headers: { authorization: `Bearer ${keys[0]}` } });
    expect(answer.status).toBe(200);
  }
  const printed = both.filter(({ link }) => link !== null);
  expect(printed).toHaveLength(1);

  // Whoever stops is gone at once, and the link of the other stays while it runs.
  const [stopping] = both;
  const ended = once(stopping.child, 'exit');
  stopping.child.kill('SIGTERM');
  await ended;
  expect(await query('select uid from replica')).toHaveLength(1);
});
