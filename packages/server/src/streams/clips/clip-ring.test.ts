import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mostCpuBetweenTurns } from '../../core/fixtures/cpu-between-turns.js';
import { findFfmpeg } from '../decoding/find-ffmpeg.js';
import { haveFfmpeg } from '../fixtures/programs.js';
import { makeVideo, runFfmpeg } from '../fixtures/videos.js';
import { type Clip, createClipRing } from './clip-ring.js';
import { remuxClip } from './remux-clip.js';
import { packetBytes } from './ts-packets.js';

const isHere = haveFfmpeg();
const maybe = test.skipIf(!isHere);
const run = promisify(execFile);
let dir: string;
/** Ten seconds at 10 frames a second, a key frame a second, cut into a chunk a second. */
let seconds: Buffer[];
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'clip-ring-'));
  if (!isHere) return;
  await makeVideo(dir, 'source.mp4', { fps: 10, seconds: 10, keyInterval: 10 });
  await runFfmpeg(dir, ['-i', 'source.mp4', '-c', 'copy', '-f', 'mpegts', 'source.ts']);
  seconds = splitAtKeys(await readFile(join(dir, 'source.ts')));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

function splitAtKeys(bytes: Buffer): Buffer[] {
  const cuts: number[] = [];
  for (let at = 0; at < bytes.length; at += 188) {
    const flags = bytes.readUInt32BE(at + 2);
    if (
      ((bytes[at + 1] ?? 0) & 0x40) !== 0 &&
      (flags & 0x20_0000) !== 0 &&
      ((bytes[at + 5] ?? 0) & 0x40) !== 0
    )
      cuts.push(at);
  }
  return cuts.map((cut, index) => bytes.subarray(index === 0 ? 0 : cut, cuts[index + 1] ?? bytes.length));
}

async function readClip(clip: Clip): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of clip.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Probed {
  readonly codec: string;
  readonly keys: readonly boolean[];
  readonly seconds: number;
}

async function probe(path: string): Promise<Probed> {
  const { stdout } = await run('ffprobe', [
    ...[
      '-v',
      'error',
      '-select_streams',
      'v:0',
      '-show_entries',
      'stream=codec_name:packet=flags:format=duration',
    ],
    ...['-of', 'json', path],
  ]);
  const found: {
    packets: { flags: string }[];
    streams: { codec_name: string }[];
    format: { duration: string };
  } = JSON.parse(stdout);
  return {
    codec: found.streams[0]?.codec_name ?? '',
    keys: found.packets.map(({ flags }) => flags.startsWith('K')),
    seconds: Number(found.format.duration),
  };
}

maybe('a clip begins at the key frame before, ends where it is said, and plays', async () => {
  let nowMs = 0;
  const ring = createClipRing({ preMs: 2500, clock: () => nowMs });
  expect(seconds).toHaveLength(10);
  let clip: Clip | null = null;
  for (const [index, chunk] of seconds.entries()) {
    nowMs = index * 1000;
    if (index === 6) clip = ring.startClip();
    if (index === 8) clip?.end();
    // As pipes deliver it.
    for (let at = 0; at < chunk.length; at += 1000) ring.push(chunk.subarray(at, at + 1000));
  }
  expect(clip).toMatchObject({ startedAtMs: 2000, isCut: false });
  const path = join(dir, 'clip.ts');
  if (clip !== null) await writeFile(path, await readClip(clip));
  const { keys } = await probe(path);
  // Seconds 2 to 7.
  expect(keys).toHaveLength(60);
  expect(keys[0]).toBe(true);
  const { stderr } = await run('ffmpeg', ['-v', 'error', '-i', path, '-f', 'null', '-']);
  expect(stderr).toBe('');
});

maybe('it is written as MP4 without being encoded, its index in front', async () => {
  const ring = createClipRing({ clock: () => 0 });
  for (const chunk of seconds.slice(0, 4)) ring.push(chunk);
  const clip = ring.startClip();
  clip.end();
  const outputPath = join(dir, "it's a clip.mp4");
  const ffmpeg = await findFfmpeg('ffmpeg');
  const options = { ffmpeg, outputPath, codec: 'h264', maxMemoryBytes: 0, timeoutMs: 60_000 };
  await remuxClip({ ...options, input: clip.read() }, new AbortController().signal);
  expect(await probe(outputPath)).toMatchObject({ codec: 'h264', seconds: 4 });
  const bytes = await readFile(outputPath);
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  // What cannot be read is said.
  const garbage = async function* () {
    yield Buffer.from('nothing of a video');
  };
  await expect(
    remuxClip({ ...options, input: garbage() }, new AbortController().signal),
  ).rejects.toMatchObject({
    name: 'StreamFailure',
  });
  await expect(
    remuxClip({ ...options, codec: 'mjpeg', input: garbage() }, new AbortController().signal),
  ).rejects.toThrow(/no clips of mjpeg/);
});

maybe('a clip that is aborted leaves its source and no process', async () => {
  const ring = createClipRing();
  for (const chunk of seconds.slice(0, 2)) ring.push(chunk);
  const clip = ring.startClip();
  const controller = new AbortController();
  const remuxing = remuxClip(
    {
      ffmpeg: await findFfmpeg('ffmpeg'),
      input: clip.read(),
      outputPath: join(dir, 'aborted.mp4'),
      codec: 'h264',
      maxMemoryBytes: 0,
      timeoutMs: 60_000,
    },
    controller.signal,
  );
  setImmediate(() => controller.abort(new Error('not wanted')));
  await expect(remuxing).rejects.toThrow('not wanted');
});

maybe('what is kept is limited in time and in bytes', () => {
  let nowMs = 0;
  const total = Buffer.concat(seconds ?? []).length;
  const ring = createClipRing({ preMs: 1000, maxBytes: total, clock: () => nowMs });
  for (const chunk of seconds) {
    nowMs += 1000;
    ring.push(chunk);
  }
  expect(ring.bytes).toBeLessThan(total / 3);
  const small = createClipRing({ preMs: 60_000, maxBytes: total / 2, clock: () => nowMs });
  for (const chunk of seconds) small.push(chunk);
  expect(small.bytes).toBeLessThanOrEqual(total / 2);
  expect(small.bytes).toBeGreaterThan(0);
  const tiny = createClipRing({ maxBytes: 1000 });
  for (const chunk of seconds) tiny.push(chunk);
  expect(tiny.bytes).toBeLessThanOrEqual(1000);
});

maybe('a source that begins anew, and a reader that is too slow, cut a clip', async () => {
  const ring = createClipRing({ maxBytes: 200_000 });
  const interrupted = ring.startClip();
  ring.push(seconds[0] ?? Buffer.alloc(0));
  ring.reset();
  expect(ring.bytes).toBe(0);
  expect((await readClip(interrupted)).length).toBeGreaterThan(0);
  expect(interrupted.isCut).toBe(true);
  const slow = ring.startClip();
  for (let round = 0; round < 20; round += 1) for (const chunk of seconds) ring.push(chunk);
  expect(slow.isCut).toBe(true);
  expect((await readClip(slow)).length).toBeLessThanOrEqual(200_000 + 2 * 188);
});

test('a source whose every packet begins an image takes no time that grows with what is kept', async () => {
  // With random_access_indicator.
  const key = Buffer.from([0x47, 0x41, 0, 0x30, 1, 0x40, ...Buffer.alloc(packetBytes - 6)]);
  const chunk = Buffer.concat(Array.from({ length: 348 }, () => key));
  const ring = createClipRing({ clock: () => 0 });
  const push = (chunks: number) => {
    for (let round = 0; round < chunks; round += 1) ring.push(chunk);
  };
  push(600);
  const fullBytes = ring.bytes;
  const { all } = await mostCpuBetweenTurns(async () => push(64));
  expect(ring.bytes).toBe(fullBytes);
  // Some 20 ms; moving all that is kept with each packet takes two seconds.
  expect(all).toBeLessThan(500);
});
