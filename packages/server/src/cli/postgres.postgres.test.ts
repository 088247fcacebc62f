import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dataFolder } from '../storage/data-folder.js';
import { createEmptyDatabase, type TestDatabase } from '../storage/fixtures/test-database.js';
import { openServiceStorage } from '../storage/open-storage.js';
import { startOnce } from './fixtures/start-once.js';
import { runCommandLine } from './main.js';

describe('commands over a database in PostgreSQL', () => {
  let dir: string;
  let testDatabase: TestDatabase;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'lynceus-commands-'));
    testDatabase = await createEmptyDatabase();
  });
  afterEach(async () => {
    await testDatabase.drop();
    rmSync(dir, { recursive: true });
  });

  const run = async (words: readonly string[], databaseUrl = testDatabase.databaseUrl) => {
    const said = { out: '', err: '' };
    const code = await runCommandLine(words, {
      env: { LYNCEUS_DATA_DIR: join(dir, 'data'), LYNCEUS_DATABASE_URL: databaseUrl },
      cwd: dir,
      print: (text) => {
        said.out += text;
      },
      note: (text) => {
        said.err += text;
      },
    });
    return { code, ...said };
  };
  const elsewhere = (change: Partial<URL>): string =>
    Object.assign(new URL(testDatabase.databaseUrl), change).href;
  const password = () => decodeURIComponent(new URL(testDatabase.databaseUrl).password);

  test('work before the first start, and beside a service', async () => {
    expect(await run(['keys', 'create', '--account', 'early', '--json'])).toMatchObject({ code: 0 });
    const service = await openServiceStorage(dataFolder(join(dir, 'service')), testDatabase);
    expect((await run(['keys', 'create', '--account', 'beside', '--json'])).code).toBe(0);
    const { out } = await run(['accounts', 'list', '--json']);
    expect(JSON.parse(out)).toMatchObject([
      { name: 'early', plan: 'paid', callLimit: null, keys: 1 },
      { name: 'beside', plan: 'trial', callLimit: 1000, keys: 1 },
    ]);
    await service.close();
  });

  test('say of a folder that no service has started on that it was never registered, and name those that were', async () => {
    const service = dataFolder(join(dir, 'service'));
    const image = ['faces', 'import', join(dir, 'people'), '--new', 'staff'];
    mkdirSync(join(dir, 'people', 'Ada'), { recursive: true });
    expect((await run(image)).err).toMatch(/The database has no account.*LYNCEUS_DATABASE_URL/);
    rmSync(join(dir, 'data'), { recursive: true });
    await startOnce(service.dir, testDatabase);
    const { code, err } = await run(image);
    expect(code).toBe(1);
    expect(err).toMatch(/folder \S+data was never registered.*no service has started on it/);
    expect(err).toContain(
      `LYNCEUS_DATA_DIR to the folder of a service of that installation: ${hostname()}:${service.dir}.`,
    );
    expect(err).toContain('folders join');
    expect(err).not.toMatch(/do not belong together|adopt|0 files/);
    for (const words of [['list'], ['confirm', 'faces'], ['restore', '--all']]) {
      const said = await run(['orphans', ...words]);
      expect([said.code, said.err]).toEqual([
        1,
        expect.stringMatching(/data was never registered.*LYNCEUS_DATA_DIR/),
      ]);
    }
    expect(existsSync(join(dir, 'data'))).toBe(false);
  });

  test('secret-key rotate and adopt wait until the services on other folders have stopped', async () => {
    await startOnce(join(dir, 'data'), testDatabase);
    const joining = { ...testDatabase, joinInstallation: true };
    const other = await openServiceStorage(dataFolder(join(dir, 'service')), joining);
    for (const what of ['rotate', 'adopt']) {
      const { code, err } = await run(['secret-key', what]);
      expect([code, err]).toEqual([1, expect.stringMatching(/run on other .*service.*--others-stopped/s)]);
    }
    // Of a service that was killed.
    expect((await run(['secret-key', 'rotate', '--others-stopped'])).code).toBe(0);
    await other.close();
    expect((await run(['secret-key', 'rotate'])).code).toBe(0);
  });

  test.each([['backup'], ['restore', 'file']])('%s names the tool of PostgreSQL', async (...words) => {
    const { code, err } = await run(words);
    expect([code, err]).toEqual([1, expect.stringMatching(/in PostgreSQL.*pg_(dump|restore)/)]);
  });

  test.each([
    ['a wrong password', { password: 'wrong-secret' }, /"lynceus" not in .*user and password/],
    ['no password', { password: '' }, /user and password/],
    ['a database that is not there', { pathname: '/nowhere' }, /no PostgreSQL database "nowhere".*createdb/],
    ['a server that is not there', { port: '1' }, /cannot be reached.*ECONNREFUSED.*is the server running/],
    [
      'a host that has no address',
      { hostname: 'no-such-host.invalid' },
      /cannot be reached.*ENOTFOUND|EAI_AGAIN/,
    ],
    ['encryption that the server does not speak', { search: 'sslmode=require' }, /SSL.*sslmode/],
  ])('say how to fix %s, and show no password', async (_what, change, message) => {
    const { code, err } = await run(['accounts', 'list'], elsewhere(change));
    expect([code, err]).toEqual([1, expect.stringMatching(message)]);
    expect(err).not.toContain(password());
    expect(err).not.toContain('wrong-secret');
  });

  test('show the address of the database without its password', async () => {
    for (const words of [['config'], ['config', '--json']]) {
      const { code, out } = await run(words);
      expect(code).toBe(0);
      expect(out).toContain('postgres://lynceus:********@');
      expect(out).not.toContain(password());
      expect(out).not.toContain(encodeURIComponent(password()));
    }
  });
});
