import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startOnce } from './fixtures/start-once.js';
import { runCommandLine } from './main.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-cli-videos-'));
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
const videos = (...words: string[]) => lynceus('videos', ...words, '--account', 'house');

test('a video is added, listed, shown and removed', async () => {
  await writeFile(join(folder, 'hall.mp4'), Buffer.from(`\0\0\0\x20ftypisom${'x'.repeat(2000)}`, 'latin1'));
  await writeFile(join(folder, 'settings.json'), '{"fps": 3, "text_languages": ["DE"]}');
  const added = await videos('add', 'hall.mp4', '--settings', 'settings.json', '--no-wait');
  expect(added).toMatchObject({ code: 0, printed: '1001', noted: 'Video 1001: hall.mp4' });
  expect((await videos('list')).printed).toMatch(/1001 +hall\.mp4 +waiting +- +2\.0 kB/);
  expect(JSON.parse((await videos('show', '1001')).printed)).toMatchObject({
    settings: { fps: 3, text_languages: ['de'], names_people: false },
    file: { media_type: 'video/mp4', bytes: 2012 },
  });
  expect(await videos('analyse', '1001', '--no-wait')).toMatchObject({
    code: 1,
    noted: expect.stringMatching(/video 1001 is being analysed/),
  });
  expect(await videos('timeline', '1001')).toMatchObject({
    code: 1,
    noted: expect.stringMatching(/is not analysed/),
  });
  await writeFile(join(folder, 'address'), 'https://ada:secret-word@films.example/a.mp4\n');
  const fetched = await videos('add', '--address-file', 'address', '--name', 'door', '--no-wait');
  expect(fetched).toMatchObject({ code: 0, printed: '1002' });
  const shown = (await videos('show', '1002')).printed;
  expect(JSON.parse(shown)).toMatchObject({ address: 'https://films.example/a.mp4', file: null });
  expect(shown).not.toContain('secret-word');
  expect((await videos('remove', '1001')).printed).toMatch(/^Deleted: 2\.0 kB/);
  expect((await videos('show', '1001')).code).toBe(1);
});

test('a video that failed is analysed again, with other settings', async () => {
  await writeFile(join(folder, 'door.mp4'), Buffer.from(`\0\0\0\x20ftypisom${'x'.repeat(2000)}`, 'latin1'));
  await writeFile(join(folder, 'change.json'), '{"fps": 1}');
  const failed = await videos('add', 'door.mp4');
  expect(failed).toMatchObject({ code: 1, noted: expect.stringMatching(/cannot be read as a video/) });
  const id = failed.noted.match(/Video (\d+)/)?.[1] ?? '';
  expect((await videos('show', id)).printed).toContain('"state": "failed"');
  expect(await videos('analyse', id, '--settings', 'change.json', '--no-wait')).toMatchObject({
    ...{ code: 0, printed: id },
  });
  expect(JSON.parse((await videos('show', id)).printed)).toMatchObject({
    ...{ state: 'waiting', has_timeline: false, settings: { fps: 1 } },
  });
});

test.each<[string[], RegExp]>([
  [['add'], /Give a video file or an address/],
  [['add', 'a.mp4', '--address-file', 'b'], /Give a video file or an address/],
  [['add', 'nowhere.mp4'], /There is no file .*nowhere\.mp4/],
  [['add', 'http://ada:secret-word@films.example/'], /other users of this machine can see/],
  [['add', '--address-file', 'nowhere'], /cannot be read/],
  [['add', 'text.mp4'], /none of the videos that are read/],
  [['add', 'text.mp4', '--settings', 'wrong.json'], /settings\.fps must be/],
  [['analyse', 'x'], /x is not a number/],
  [['analyse', '77'], /77 is not one of your videos/],
  [['analyse', '77', '--settings', 'wrong.json'], /settings\.fps must be/],
  [['timeline', 'x'], /x is not a number/],
  [['timeline', '77'], /77 is not one of your videos/],
  [['timeline', '77', '--format', 'xml'], /Allowed choices are json, csv, vtt/],
])('%j is refused in words', async (words, message) => {
  await writeFile(join(folder, 'text.mp4'), '#EXTM3U\n');
  await writeFile(join(folder, 'wrong.json'), '{"fps": 99}');
  const { code, printed, noted } = await videos(...words);
  expect(code).not.toBe(0);
  expect(printed + noted).toMatch(message);
  expect(printed + noted).not.toContain('secret-word');
});
