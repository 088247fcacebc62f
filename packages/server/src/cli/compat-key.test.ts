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
    env: { LYNCEUS_DATA_DIR: join(folder, 'data') },
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
  [['compreface'], 'perception must be given'],
  [['deepstack', '--perception', '77'], '77 is not one of your perceptions'],
  [['deepstack', '--model', 'imagenet'], 'imagenet is for classification'],
  [['frigate'], 'Allowed choices are deepstack, compreface, doods'],
  [['doods', '--map', 'yard'], 'NAME=VALUE'],
  [['doods', '--min-confidence', '60'], 'from 0 to 1'],
  [['doods', '--max-predictions', '0'], 'from 1 to 1000'],
])('%s is refused with what to do', async (words, text) => {
  const { code, noted } = await compat(...words);
  expect(code).not.toBe(0);
  expect(noted).toContain(text);
});
