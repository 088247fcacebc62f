import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeFile } from '../fixtures/decode-file.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { makeVideo, runFfmpeg } from '../fixtures/videos.js';
import { createFileSource } from '../sources/file-source.js';
import { findFfmpeg } from './find-ffmpeg.js';
import { openDecoder } from './open-decoder.js';

const maybe = test.skipIf(!haveFfmpeg());
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'open-decoder-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

maybe('every frame of a file comes with its position', async () => {
  const path = await makeVideo(dir, 'all.mp4', { fps: 10, seconds: 2 });
  const { frames, end, video } = await decodeFile(path);
  expect(end).toEqual({ kind: 'ended' });
  expect(video).toEqual({ codec: 'h264', width: 320, height: 180, fps: 10 });
  expect(frames).toEqual(
    Array.from({ length: 20 }, (_, index) => ({ width: 320, height: 180, atMs: index * 100, index })),
  );
});

maybe('frames a second, key frames alone, and the width are limited', async () => {
  const path = await makeVideo(dir, 'limits.mkv', {
    fps: 25,
    seconds: 2,
    keyInterval: 25,
    width: 640,
    height: 360,
  });
  const fewer = await decodeFile(path, { fps: 5, maxWidth: 200 });
  expect(fewer.frames.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 10 }, (_, index) => index * 200));
  expect(fewer.frames[0]).toMatchObject({ width: 200, height: 113 });
  const keys = await decodeFile(path, { keyFramesOnly: true });
  expect(keys.frames.map(({ atMs }) => atMs)).toEqual([0, 1000]);
  const slower = await decodeFile(path, { fps: 0.5 });
  expect(slower.frames.map(({ atMs }) => atMs)).toEqual([0]);
});

maybe('the colours are right, and the small image is grey', async () => {
  const path = await makeVideo(dir, 'red.mp4', { image: 'color=red', seconds: 0.2, width: 64, height: 48 });
  const decoder = await openDecoder(
    { source: createFileSource(path), ffmpeg: await findFfmpeg('ffmpeg'), fps: 30, pace: 'every-frame' },
    new AbortController().signal,
  );
  const frame = await decoder.next(AbortSignal.timeout(60_000));
  const [red = 0, green = 255, blue = 255] = frame?.pixels ?? [];
  expect([red > 240, green < 20, blue < 20]).toEqual([true, true, true]);
  expect(frame?.motion).toMatchObject({ width: 96, height: 72 });
  await decoder.close();
});

maybe('a video whose images change their size ends before the first of the others', async () => {
  await makeVideo(dir, 'small.ts', { seconds: 1 });
  await makeVideo(dir, 'large.ts', { seconds: 1, width: 640, height: 360 });
  const joined = join(dir, 'joined.ts');
  await writeFile(
    joined,
    Buffer.concat([await readFile(join(dir, 'small.ts')), await readFile(join(dir, 'large.ts'))]),
  );
  const { frames, end } = await decodeFile(joined);
  expect(end).toEqual({ kind: 'resized' });
  expect(frames.length).toBeGreaterThan(0);
  expect(frames.every(({ width }) => width === 320)).toBe(true);
  const whole = await decodeFile(joined, { frameSize: { width: 160, height: 120 }, fps: 5 });
  expect(whole.end).toEqual({ kind: 'ended' });
  expect(whole.frames.map(({ atMs }) => atMs)).toEqual([...Array(10).keys()].map((index) => index * 200));
  expect(whole.frames.every(({ width, height }) => width === 160 && height === 120)).toBe(true);
});

maybe('a video of a phone is turned as it is shown', async () => {
  const corner = 'color=red:s=160x120:r=10,drawbox=0:0:40:30:blue:fill';
  const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  await runFfmpeg(dir, ['-f', 'lavfi', '-i', corner, '-t', '0.2', ...h264, 'flat.mp4']);
  await runFfmpeg(dir, ['-i', 'flat.mp4', '-c', 'copy', '-metadata:s:v', 'rotate=90', 'phone.mp4']);
  const frameSize = { width: 120, height: 160 };
  for (const size of [{}, { frameSize }]) {
    const source = createFileSource(join(dir, 'phone.mp4'));
    const ffmpeg = await findFfmpeg('ffmpeg');
    const never = AbortSignal.timeout(60_000);
    const decoder = await openDecoder({ source, ffmpeg, fps: 30, pace: 'every-frame', ...size }, never);
    const frame = await decoder.next(never);
    const isBlueAt = (x: number, y: number) => (frame?.pixels[(y * 120 + x) * 3 + 2] ?? 0) > 128;
    expect(frame).toMatchObject(frameSize);
    expect([isBlueAt(3, 3), isBlueAt(3, 156), isBlueAt(116, 3)]).toEqual([false, true, false]);
    await decoder.close();
  }
});

maybe('images above the limit are not decoded', async () => {
  const path = await makeVideo(dir, 'limit.mp4', { width: 640, height: 360 });
  const { frames, failure } = await decodeFile(path, { limits: { maxPixels: 640 * 359 } });
  expect(frames).toEqual([]);
  expect(failure).toMatchObject({ code: 'no-video', message: expect.stringContaining('larger') });
});

maybe('a file of which nothing more comes is given up', async () => {
  const path = await makeVideo(dir, 'long.mp4', { fps: 25, seconds: 10, width: 640, height: 360 });
  const { failure } = await decodeFile(path, { fps: 0.1, limits: { fileTimeoutMs: 1 } });
  expect(failure).toMatchObject({ code: 'timeout', message: 'decoding takes too long' });
});

test('an ffmpeg that is missing or something else is said plainly', async () => {
  await expect(findFfmpeg('/nowhere/ffmpeg')).rejects.toMatchObject({
    code: 'decoder',
    message: expect.stringMatching(/ffmpeg is not there \(\/nowhere\/ffmpeg\)/),
  });
  await expect(findFfmpeg('/bin/echo')).rejects.toMatchObject({
    message: expect.stringMatching(/is no ffmpeg/),
  });
});
