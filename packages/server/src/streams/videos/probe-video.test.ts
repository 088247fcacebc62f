import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { haveFfmpeg } from '../fixtures/programs.js';
import { makeVideo, runFfmpeg } from '../fixtures/videos.js';
import { ffprobeBeside, type ProbeOptions, probeVideo } from './probe-video.js';

const maybe = test.skipIf(!haveFfmpeg());
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-probe-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const probe = (name: string, options: Partial<ProbeOptions> = {}) =>
  probeVideo(join(dir, name), {
    ...{ ffmpeg: { path: 'ffmpeg', guard: [], view: [] }, maxMemoryBytes: 2 ** 31, maxSeconds: 3600 },
    signal: new AbortController().signal,
    ...options,
  });
const refused = (words: RegExp) => ({ name: 'JobFailure', message: expect.stringMatching(words) });

maybe.each([
  ['film.mp4', [], 'h264'],
  ['film.mov', [], 'h264'],
  ['film.mkv', [], 'h264'],
  ['film.avi', ['-c:v', 'mjpeg'], 'mjpeg'],
  ['film.ts', [], 'h264'],
  ['film.webm', ['-c:v', 'libvpx', '-deadline', 'realtime'], 'vp8'],
])('%s has its length, size and codec', async (name, args, codec) => {
  await makeVideo(dir, name, { width: 320, height: 180, fps: 10, seconds: 2, args });
  const { durationSeconds, ...rest } = await probe(name);
  expect(rest).toEqual({ width: 320, height: 180, codec, fps: 10 });
  expect(durationSeconds).toBeGreaterThan(1.7);
  expect(durationSeconds).toBeLessThan(2.3);
});

maybe('a video that was filmed upright has the size in which it is shown', async () => {
  await makeVideo(dir, 'lying.mp4', { width: 320, height: 180, seconds: 1 });
  const turn = ['-i', 'lying.mp4', '-c', 'copy', '-metadata:s:v', 'rotate=90', 'upright.mp4'];
  await runFfmpeg(dir, turn);
  expect(await probe('upright.mp4')).toMatchObject({ width: 180, height: 320 });
});

maybe('what cannot be analysed is refused, with the reason', async () => {
  await makeVideo(dir, 'whole.mp4', { seconds: 2 });
  await writeFile(join(dir, 'cut.mp4'), await readFile(join(dir, 'whole.mp4')));
  await truncate(join(dir, 'cut.mp4'), 2000);
  await expect(probe('cut.mp4')).rejects.toMatchObject(refused(/breaks off before its index/));
  await runFfmpeg(dir, ['-f', 'lavfi', '-i', 'sine=duration=1', 'sound.mp4']);
  await expect(probe('sound.mp4')).rejects.toMatchObject(refused(/no video/));
  await writeFile(join(dir, 'noise.mp4'), Buffer.from(`\0\0\0\x20ftypisom${'x'.repeat(5000)}`, 'latin1'));
  await expect(probe('noise.mp4')).rejects.toMatchObject(refused(/cannot be read as a video/));
  await expect(probe('whole.mp4', { maxSeconds: 1 })).rejects.toMatchObject(refused(/longer than 1 seconds/));
});

maybe('pictures of more than 8192 pixels a side are refused before one is decoded', async () => {
  const huge = { width: 16_000, height: 64, fps: 1, seconds: 1, args: ['-c:v', 'mjpeg'] };
  await makeVideo(dir, 'huge.avi', huge);
  await expect(probe('huge.avi')).rejects.toMatchObject(refused(/16000 x 64 pixels; 8192/));
});

maybe('a length of ten hours in the head of a short file is refused', async () => {
  const bytes = await readFile(await makeVideo(dir, 'long.mp4', { seconds: 1 }));
  for (const [box, version0] of [
    ['mvhd', 16],
    ['tkhd', 20],
    ['mdhd', 16],
  ] as const) {
    const at = bytes.indexOf(box) + 4;
    const scale = box === 'mdhd' ? bytes.readUInt32BE(at + 12) : 1000;
    bytes.writeUInt32BE(36_000 * scale, at + version0);
  }
  // The edit list says the length once more.
  const edit = bytes.indexOf('elst');
  if (edit > 0) bytes.writeUInt32BE(36_000_000, edit + 12);
  await writeFile(join(dir, 'long.mp4'), bytes);
  await expect(probe('long.mp4')).rejects.toMatchObject(refused(/longer than 3600 seconds/));
});

maybe('a playlist under the name of a video opens nothing that it names', async () => {
  const real = await makeVideo(dir, 'real.ts', { seconds: 1 });
  const lists = {
    'hls.mp4': `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://${real}\n#EXT-X-ENDLIST\n`,
    'concat.mp4': `ffconcat version 1.0\nfile '${real}'\n`,
    'passwords.mp4': "ffconcat version 1.0\nfile '/etc/passwd'\n",
  };
  for (const [name, text] of Object.entries(lists)) {
    await writeFile(join(dir, name), text);
    await expect(probe(name)).rejects.toMatchObject(refused(/cannot be read as a video/));
  }
});

maybe('limits of memory and the signal end it', async () => {
  await makeVideo(dir, 'small.mp4', { seconds: 1 });
  await expect(probe('small.mp4', { maxMemoryBytes: 20_000_000 })).rejects.toThrow();
  await expect(probe('small.mp4', { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow();
});

test('where ffprobe is missing the service is at fault, and not the file', async () => {
  await writeFile(join(dir, 'any.mp4'), '');
  await expect(probe('', { ffmpeg: { path: '/nowhere/ffmpeg', guard: [], view: [] } })).rejects.toThrow(
    /could not be started/,
  );
});

test('ffprobe is beside ffmpeg', () => {
  expect(ffprobeBeside('ffmpeg')).toBe('ffprobe');
  expect(ffprobeBeside('/opt/ffmpeg/bin/ffmpeg')).toBe('/opt/ffmpeg/bin/ffprobe');
  expect(ffprobeBeside('/usr/bin/ffmpeg-6')).toBe('/usr/bin/ffprobe-6');
});
