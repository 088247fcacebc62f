import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOnce } from './fixtures/start-once.js';
import { runCommandLine } from './main.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-compat-'));
  await lynceus('accounts', 'create', 'house');
  await startOnce(join(folder, 'data'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function lynceus(...words: string[]) {
  const [printed, noted]: [string[], string[]] = [[], []];
  const code = await runCommandLine(words, {
    env: { LYNCEUS_DATA_DIR: join(folder, 'data'), LYNCEUS_COMPAT_LISTENER_PORTS: '32168' },
    cwd: folder,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
  });
  return { code, printed: printed.join('\n'), noted: noted.join('\n') };
}
const compat = (...words: string[]) => lynceus('keys', 'compat', ...words, '--account', 'house');

test('a key for clients of another service is made, and listed as one', async () => {
  const made = await compat(
    ...['deepstack', '--map', 'ipcam-general=coco-fast', '--map', 'yard=101', '--alias', 'person=human'],
    ...['--min-confidence', '.5', '--max-predictions', '9', '--json'],
  );
  expect(made).toMatchObject({ code: 0, printed: expect.stringMatching(/^\{"key":"lyn_/) });
  const { printed } = await lynceus('keys', 'list');
  expect(printed).toMatch(/compat +house +deepstack/);
});

test.each([
  [['compreface'], 'compat.perception (--perception) must be given'],
  [['deepstack', '--perception', '77'], '77 is not one of your perceptions'],
  [['deepstack', '--model', 'imagenet'], 'imagenet is for classification'],
  [['viseron'], 'Allowed choices are deepstack, compreface, doods, frigate'],
  [['doods', '--map', 'yard'], 'NAME=VALUE'],
  [['doods', '--min-confidence', '60'], 'from 0 to 1'],
  [['doods', '--max-predictions', '0'], 'from 1 to 1000'],
])('%s is refused with what to do', async (words, text) => {
  const { code, noted } = await compat(...words);
  expect(code).not.toBe(0);
  expect(noted).toContain(text);
});

test('a port for clients without a key is opened, listed and closed', async () => {
  await compat('deepstack');
  const listen = (...words: string[]) => lynceus('keys', 'listen', ...words);
  const made = await listen('1', '--port', '32168', '--network', '10.0.0.0/8', '--network', '192.168.1.0/24');
  expect(made).toMatchObject({ code: 0, printed: expect.stringContaining('port 32168, deepstack') });
  expect((await lynceus('keys', 'listeners')).printed).toContain('10.0.0.0/8, 192.168.1.0/24');
  const again = await listen('1', '--port', '32168', '--network', '10.0.0.0/8');
  expect(again).toMatchObject({ code: 1, noted: expect.stringContaining('has a listener already') });
  const other = await listen('1', '--port', '5000', '--network', '10.0.0.0/8');
  expect(other.noted).toContain('compatListenerPorts');
  expect((await listen('1', '--port', '32168', '--network', '0.0.0.0/0')).code).toBe(1);
  expect((await lynceus('keys', 'unlisten', '1')).code).toBe(0);
  expect(JSON.parse((await lynceus('keys', 'listeners', '--json')).printed)).toEqual([]);
});
