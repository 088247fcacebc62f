import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOnce } from './fixtures/start-once.js';
import { runCommandLine } from './main.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-accounts-'));
  await startOnce(join(folder, 'data'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function lynceus(...words: string[]) {
  const printed: string[] = [];
  const noted: string[] = [];
  const code = await runCommandLine(words, {
    env: {
      LYNCEUS_DATA_DIR: join(folder, 'data'),
      LYNCEUS_TRIAL_CALLS: '20',
      LYNCEUS_MODELS_DIR: join(folder, 'models'),
    },
    cwd: folder,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}

test('accounts create makes one and shows its plan, calls and days', async () => {
  await lynceus('accounts', 'create', 'house');
  const { code, printed } = await lynceus('accounts', 'create', 'shop', '--days', '7');
  expect(code).toBe(0);
  expect(printed).toMatch(/ID +ACCOUNT +PLAN +CALLS +LIMIT +KEYS +DAYS +CREATED/);
  expect(printed).toMatch(/2 +shop +trial +0 +20 +0 +7 /);
  expect(printed).not.toContain('house');
  const again = await lynceus('accounts', 'create', 'shop');
  expect([again.code, again.noted]).toEqual([1, expect.stringContaining('"shop" already')]);
});

test('accounts change makes a trial paid and back', async () => {
  await lynceus('accounts', 'create', 'shop', '--plan', 'trial', '--calls', '5');
  expect((await lynceus('accounts', 'change', 'shop', '--plan', 'paid')).printed).toMatch(
    /shop +paid +0 +no limit/,
  );
  expect((await lynceus('accounts', 'change', 'shop', '--calls', '9')).printed).toMatch(/shop +paid +0 +9/);
  const { printed } = await lynceus('accounts', 'change', 'shop', '--plan', 'trial');
  expect(printed).toMatch(/shop +trial +0 +20/);
  expect((await lynceus('accounts', 'change', 'shop', '--calls', 'unlimited')).printed).toMatch(
    /trial +0 +no limit/,
  );
  const unknown = await lynceus('accounts', 'change', 'nobody', '--plan', 'paid');
  expect([unknown.code, unknown.noted]).toEqual([1, expect.stringContaining('no account "nobody"')]);
});

test.each([
  ['--plan', 'free'],
  ['--calls', '-1'],
  ['--calls', 'many'],
  ['--calls', '99999999999999999999'],
  ['--days', '1.5'],
  ['--days', '40000'],
])('accounts create %s %s is refused and makes nothing', async (option, value) => {
  expect((await lynceus('accounts', 'create', 'a', option, value)).code).toBe(2);
  expect(JSON.parse((await lynceus('accounts', 'list', '--json')).printed)).toEqual([]);
});

test('keys create gives a key calls and an end of its own, and keys list shows them', async () => {
  const { code } = await lynceus(
    ...['keys', 'create', '--account', 'shop', '--name', 'till', '--calls', '50', '--expires', '2090-01-31'],
  );
  expect(code).toBe(0);
  const { printed } = await lynceus('keys', 'list');
  expect(printed).toMatch(/till +0 +50 +\S+ \S+ +2090-02-01 00:00 +- +operator$/m);
  await lynceus('keys', 'create', '--account', 'shop', '--name', 'free');
  expect((await lynceus('keys', 'list')).printed).toMatch(/free +0 +no limit/);
});

test('accounts delete closes an account that is named twice, and undelete opens it again', async () => {
  await lynceus('accounts', 'create', 'house');
  await lynceus('accounts', 'create', 'shop');
  expect((await lynceus('accounts', 'delete', 'shop')).code).toBe(2);
  const other = await lynceus('accounts', 'delete', 'shop', '--yes', 'house');
  expect([other.code, other.noted]).toEqual([1, expect.stringContaining("give the account's name")]);
  expect((await lynceus('accounts', 'delete', 'nobody', '--yes', 'nobody')).noted).toContain(
    'no account "nobody"',
  );

  const { code, printed } = await lynceus('accounts', 'delete', 'shop', '--yes', 'shop');
  expect([code, printed]).toEqual([
    0,
    expect.stringMatching(/account 2: asked by operator[\s\S]*begins at \S+ \S+ where a service runs/),
  ]);
  const { dueAt, askedAt } = JSON.parse((await lynceus('accounts', 'deletions', '--json')).printed)[0];
  expect(dueAt - askedAt).toBe(72 * 3_600_000);
  expect((await lynceus('accounts', 'deletions')).printed).toMatch(/^2 +scheduled/m);

  expect((await lynceus('accounts', 'undelete', 'shop')).printed).toContain('open again');
  expect((await lynceus('accounts', 'deletions', '2')).noted).toContain('no deletion');
  const now = JSON.parse(
    (await lynceus('accounts', 'delete', 'shop', '--yes', 'shop', '--now', '--json')).printed,
  );
  expect(now).toMatchObject({ accountId: 2, state: 'scheduled', dueAt: now.askedAt });
});

test('accounts and keys are managed without a temporary folder and with a damaged folder of models', async () => {
  const models = join(folder, 'models');
  await mkdir(join(models, 'entries'), { recursive: true });
  await writeFile(join(models, 'entries', 'own.json'), '{');
  const before = process.env['TMPDIR'];
  process.env['TMPDIR'] = join(folder, 'missing');
  try {
    expect(await lynceus('accounts', 'create', 'shop')).toMatchObject({ code: 0, noted: '' });
    expect(await lynceus('keys', 'create', '--account', 'shop')).toMatchObject({ code: 0 });
    expect(await lynceus('drops', 'list', '--account', 'shop')).toMatchObject({
      code: 1,
      noted: expect.stringMatching(/No folder can be made in .*missing.*set TMPDIR/),
    });
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
});

test('accounts deletions wants a number', async () => {
  expect(await lynceus('accounts', 'deletions', 'abc')).toMatchObject({
    code: 1,
    noted: expect.stringContaining('abc is not the number of an account'),
  });
});
