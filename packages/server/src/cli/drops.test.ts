import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readableKeyPair } from '../drops/sftp/readable-key-pair.js';
import { startOnce } from './fixtures/start-once.js';
import { runCommandLine } from './main.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-drops-'));
  await lynceus('accounts', 'create', 'house');
  await startOnce(join(folder, 'data'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function lynceus(...words: string[]) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const code = await runCommandLine(words, {
    env: {
      LYNCEUS_DATA_DIR: join(folder, 'data'),
      LYNCEUS_FTP_PORT: '2121',
      LYNCEUS_DROP_DOMAIN: 'drop.example',
      LYNCEUS_DROP_FOLDERS: folder,
    },
    cwd: folder,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}
const drops = (...words: string[]) => lynceus('drops', ...words, '--account', 'house');

test('a drop is made, listed, tried, given another key and deleted', async () => {
  await writeFile(join(folder, 'to.json'), JSON.stringify({ kind: 'folder', folder }));
  await writeFile(join(folder, 'settings.json'), '{"keywords": {"prefix": "x:"}}');
  const made = await drops(
    'create',
    'Desk',
    '--user-name',
    'desk-1',
    '--settings',
    'settings.json',
    '--destination',
    'to.json',
  );
  expect([made.code, made.printed]).toEqual([
    0,
    expect.stringMatching(/^Host: +desk-1\.drop\.example\nPort: +2121\n/),
  ]);
  const key = /Key: +(lyn_\S+)/.exec(made.printed)?.[1] ?? '';
  expect(made.printed).toContain(`--user desk-1:${key} ftp://desk-1.drop.example:2121/incoming/`);
  expect((await drops('list')).printed).toMatch(/1001 +Desk +desk-1 +0 +0 +0 /);
  expect((await drops('show', '1001')).printed).toContain('"prefix": "x:"');
  expect(made.noted).toContain('FTP is reachable from this machine only: set LYNCEUS_FTP_HOST=0.0.0.0');
  expect((await drops('test', '1001')).printed).toMatch(/^Written and removed: /);
  const renewed = await drops('key', '1001');
  expect(renewed.printed).toMatch(/^lyn_/);
  expect(renewed.printed).not.toBe(key);
  expect((await lynceus('keys', 'list')).printed).toMatch(/drop +house +drop desk-1/);
  const { public: line } = await readableKeyPair(() => ssh2.utils.generateKeyPairSync('ed25519'));
  await writeFile(join(folder, 'keys.pub'), `# of the desk\n\n${line}\n`);
  expect((await drops('authorize', '1001', 'keys.pub')).printed).toMatch(/^1 public keys open the drop/);
  expect((await drops('show', '1001')).printed).toContain(line);
  await writeFile(join(folder, 'keys.pub'), 'password\n');
  expect((await drops('authorize', '1001', 'keys.pub')).noted).toMatch(/must be a line such as/);
  expect((await drops('files', '1001')).printed).toMatch(/^ID +STATE/);
  expect((await drops('retry', '1001')).printed).toBe('0 files resumed.');
  expect((await drops('delete', '1001')).printed).toMatch(/^Deleted: 0 files/);
  expect((await drops('show', '1001')).noted).toMatch(/1001 is not one of your drops/);
});

test('a drop is changed by the same files, and by the whole JSON of the API', async () => {
  const made = await drops('create', 'Desk');
  expect(made.printed).toContain('Files get their keywords and stay in done/ until you delete them');
  expect((await drops('change', '1001')).noted).toMatch(/Say what shall change/);
  const whole = {
    name: 'not read',
    settings: { keywords: { max_keywords: 3 } },
    destination: { kind: 'folder', folder },
  };
  await writeFile(join(folder, 'drop.json'), JSON.stringify(whole));
  const both = ['--settings', 'drop.json', '--destination', 'drop.json'];
  const changed = await drops('change', '1001', ...both);
  expect(changed).toMatchObject({ code: 0, printed: expect.stringContaining(`Destination: ${folder}`) });
  await writeFile(join(folder, 'settings.json'), '{"keep_done_days": 3}');
  await drops('change', '1001', '--settings', 'settings.json', '--name', 'Second');
  const shown = JSON.parse((await drops('show', '1001')).printed);
  expect(shown).toMatchObject({
    name: 'Second',
    settings: { keywords: { max_keywords: 3 }, keep_done_days: 3 },
    destination: { folder },
  });
  expect((await drops('change', '1001', '--no-destination')).printed).toContain('Destination: none');
  expect(JSON.parse((await drops('show', '1001')).printed).destination).toBeNull();
});

test('what cannot work is refused with the field and without its secrets', async () => {
  const secret = 'not-for-the-terminal';
  await writeFile(
    join(folder, 'to.json'),
    JSON.stringify({ kind: 'ftp', user: 'a', secrets: { password: secret } }),
  );
  const refused = await drops('create', 'Desk', '--destination', 'to.json');
  expect([refused.code, refused.noted]).toEqual([1, expect.stringMatching(/destination\.host is missing/)]);
  await writeFile(join(folder, 'broken.json'), `{"password": "${secret}`);
  const broken = await drops('create', 'Desk', '--destination', 'broken.json');
  expect(broken.noted).toMatch(/broken\.json is not JSON/);
  expect(refused.noted + broken.noted).not.toContain(secret);
  expect((await drops('test', 'x')).noted).toMatch(/x is not a number; drops list/);
});
