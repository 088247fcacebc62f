import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { type ServiceProcess, startServiceProcess } from './fixtures/service-process.js';

let dir: string;
let testDatabase: TestDatabase;
const services: ServiceProcess[] = [];
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-first-starts-'));
  testDatabase = await createEmptyDatabase();
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.kill();
  await testDatabase.drop();
  rmSync(dir, { recursive: true, force: true });
});

const secretKey = randomBytes(32).toString('base64url');

async function start(name: string) {
  const service = await startServiceProcess(dir, {
    LYNCEUS_FTP_PORT: '0',
    LYNCEUS_DATABASE_URL: testDatabase.databaseUrl,
    LYNCEUS_JOIN_INSTALLATION: 'true',
    LYNCEUS_SECRET_KEY: secretKey,
    LYNCEUS_DATA_DIR: join(dir, name),
    LYNCEUS_SPOOL_DIR: join(dir, `${name}-spool`),
  });
  services.push(service);
  const keyPath = join(dir, name, 'first-key');
  return {
    ...service,
    key: existsSync(keyPath) ? readFileSync(keyPath, 'utf8').trim() : null,
    link: /\S+\/welcome#[\w-]+/.exec(service.output())?.[0] ?? null,
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
  await stopping.stop();
  expect(await query('select uid from replica')).toHaveLength(1);
});
