import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOnce } from './fixtures/start-once.js';
import { runCommandLine } from './main.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-streams-'));
  await lynceus('accounts', 'create', 'house');
  await startOnce(join(folder, 'data'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

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
const streams = (...words: string[]) => lynceus('streams', ...words, '--account', 'house');

test('a stream is added, listed, shown, changed and removed', async () => {
  await writeFile(join(folder, 'settings.json'), '{"fps": 2, "text_languages": ["DE"]}');
  const source = { kind: 'rtsp', address: 'rtsp://admin:secret@10.0.0.1/live' };
  await writeFile(join(folder, 'source.json'), JSON.stringify(source));
  const added = await streams('add', 'Front door', '--source', 'source.json', '--settings', 'settings.json');
  expect(added).toMatchObject({ code: 0, printed: 'Stream 1001: Front door' });
  expect((await streams('list')).printed).toMatch(
    /1001 +Front door +rtsp +rtsp:\/\/10\.0\.0\.1\/live +connecting/,
  );
  const shown = (await streams('show', '1001')).printed;
  expect(JSON.parse(shown)).toMatchObject({ source: { has_password: true }, settings: { fps: 2 } });
  expect(shown).not.toContain('secret');
  expect((await streams('change', '1001', '--name', 'Gate', '--disable')).printed).toBe(
    'Stream 1001: Gate, off',
  );
  expect((await streams('change', '1001', '--address', 'rtsp://10.0.0.2/')).code).toBe(0);
  expect(JSON.parse((await streams('show', '1001')).printed).source.address).toBe('rtsp://10.0.0.2/');
  expect((await streams('events', '--stream', '1001')).printed).toMatch(/^AT +STREAM +KIND/);
  expect((await streams('remove', '1001')).printed).toBe('Deleted: 0 tracks, 0 files, 0.0 kB');
  expect((await streams('show', '1001')).code).toBe(1);
});

test.each<[string[], RegExp]>([
  [['add', 'a'], /--address or --source/],
  [['add', 'a', '--address', 'rtsp://admin:secret@10.0.0.1/'], /other users of this machine can see/],
  [['add', 'a', '--address', 'http://10.0.0.1/'], /--kind says/],
  [['add', 'a', '--address', 'rtsp://10.0.0.1/', '--settings', 'settings.json'], /settings\.fps must be/],
  [['add', 'a', '--source', 'source.json'], /source\.kind must be/],
  [['change', '1001'], /Say what shall change/],
  [['change', 'x', '--enable'], /x is not a number/],
  [['change', '1', '--enable', '--disable'], /not both/],
  [['change', '77', '--enable'], /77 is not one of your streams/],
  [['events', '--from', 'yesterday'], /a moment is written such as/],
])('%j is refused in words', async (words, message) => {
  await writeFile(join(folder, 'settings.json'), '{"fps": 99}');
  await writeFile(join(folder, 'source.json'), '{"kind": "ftp", "password": "secret@"}');
  const { code, printed, noted } = await streams(...words);
  expect(code).not.toBe(0);
  expect(printed + noted).toMatch(message);
  expect(printed + noted).not.toContain('secret@');
});
