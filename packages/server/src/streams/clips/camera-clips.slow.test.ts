import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findFfmpeg } from '../decoding/find-ffmpeg.js';
import { decodeFile } from '../fixtures/decode-file.js';
import { startMediaServer } from '../fixtures/media-server.js';
import { haveFfmpeg, haveRtspServer } from '../fixtures/programs.js';
import { startRtspServer } from '../fixtures/rtsp-server.js';
import { localDeps, openTestStream } from '../fixtures/test-stream.js';
import { createSource } from '../sources/open-source.js';
import { parseSource } from '../sources/parse-source.js';
import { type ClipRing, createClipRing } from './clip-ring.js';
import { keepCopying } from './keep-copying.js';
import { remuxClip } from './remux-clip.js';

const isHere = haveFfmpeg();
const maybe = test.skipIf(!isHere);
const maybeRtsp = test.skipIf(!isHere || !haveRtspServer());
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'camera-clips-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));
const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

/** Two seconds after something has been kept, written as MP4 and decoded again. */
async function recordClip(ring: ClipRing, codec = 'h264') {
  await expect.poll(() => ring.bytes).toBeGreaterThan(0);
  await wait(1000);
  const clip = ring.startClip();
  const outputPath = join(dir, 'clip.mp4');
  const options = {
    ffmpeg: await findFfmpeg('ffmpeg'),
    outputPath,
    codec,
    maxMemoryBytes: 0,
    timeoutMs: 60_000,
  };
  const remuxing = remuxClip({ ...options, input: clip.read() }, new AbortController().signal);
  await wait(2000);
  clip.end();
  await remuxing;
  expect(clip.isCut).toBe(false);
  return decodeFile(outputPath, { fps: 30 });
}

maybeRtsp(
  'a camera whose parameters are in its description alone has clips that play, beside its frames',
  async () => {
    const server = await startRtspServer();
    cleanUp.push(() => server.stop());
    const ring = createClipRing();
    const stream = await openTestStream(
      { kind: 'rtsp', url: `rtsp://127.0.0.1:${server.port}/cam` },
      { onCopy: ring.push, onRun: ring.reset },
    );
    cleanUp.push(() => stream.close());
    await stream.frame();
    const { frames, end } = await recordClip(ring);
    expect(end).toEqual({ kind: 'ended' });
    expect(frames.length).toBeGreaterThan(15);
    expect(frames[0]).toMatchObject({ width: 640, height: 360, atMs: 0 });
  },
);

maybeRtsp('H.265 has clips as well', async () => {
  const server = await startRtspServer({
    pipeline: [
      'videotestsrc is-live=true pattern=ball ! video/x-raw,width=320,height=240,framerate=10/1',
      'x265enc tune=zerolatency speed-preset=ultrafast key-int-max=10 ! rtph265pay name=pay0 pt=96',
    ].join(' ! '),
  });
  cleanUp.push(() => server.stop());
  const ring = createClipRing();
  const stream = await openTestStream(
    { kind: 'rtsp', url: `rtsp://127.0.0.1:${server.port}/cam` },
    { onCopy: ring.push, onRun: ring.reset },
  );
  cleanUp.push(() => stream.close());
  expect(await stream.frame()).toMatchObject({ width: 320, height: 240 });
  expect(stream.stats()?.video).toMatchObject({ codec: 'hevc' });
  const { frames, video } = await recordClip(ring, 'hevc');
  expect(frames.length).toBeGreaterThan(10);
  expect(video).toMatchObject({ codec: 'hevc' });
});

maybe('a source can be copied without being decoded, and comes back', async () => {
  const server = await startMediaServer('clips');
  cleanUp.push(() => server.stop());
  const ring = createClipRing();
  const away: string[] = [];
  const copying = keepCopying({
    source: createSource(parseSource({ kind: 'rtmp', url: server.rtmpUrl }), localDeps),
    ffmpeg: await findFfmpeg('ffmpeg'),
    onCopy: ring.push,
    onRun: ring.reset,
    onAway: ({ code }) => away.push(code),
    maxMemoryBytes: 1024 * 1024 * 1024,
    firstRetryMs: 100,
    maxRetryMs: 400,
  });
  cleanUp.push(() => copying.close());
  const { frames } = await recordClip(ring);
  expect(frames.length).toBeGreaterThan(15);
  await server.stop();
  await expect.poll(() => away.length).toBeGreaterThan(1);
  expect(ring.bytes).toBe(0);
});
