import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSpool, type Spool } from '../../../intake/spool.js';
import type { GeneralResult } from '../../../recognition/results.js';
import type { Frame } from '../../decoding/frame.js';
import { defaultVideoSettings } from '../video-settings.js';
import { type AnalyseVideoDeps, analyseVideo } from './analyse-video.js';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-analyse-video-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const [width, height] = [64, 48];
const frameBytes = width * height * 3;
const frameOf = (index: number): Frame => ({
  ...{ width, height, index, atMs: index * 500, sourceWidth: width, sourceHeight: height },
  pixels: new Uint8Array(frameBytes).fill(index),
  motion: { width: 8, height: 6, pixels: new Uint8Array(48).fill(100) },
});
const empty: GeneralResult = {
  ...{ fileid: '1', width, height, mode: 'basic', parts: new Set(['objects'] as const) },
  ...{ classes: [], objects: [], texts: [], faces: [] },
};

/** Looks at so many frames, with room for so many in the spool. */
async function look(spool: Spool, count: number, deps: Partial<AnalyseVideoDeps> = {}) {
  const seen: number[] = [];
  let next = 0;
  const timeline = await analyseVideo(
    {
      decoder: { next: async () => (next < count ? frameOf(next++) : null) },
      analyse: async () => ({ result: empty, queueMs: 0 }),
      images: { keep: async () => undefined, write: async () => null },
      ...{ spool, framesAtOnce: 4, signal: new AbortController().signal },
      takeFrame: async () => undefined,
      onFrame: (atMs) => seen.push(atMs),
      onWaitForRoom: () => undefined,
      ...deps,
    },
    defaultVideoSettings,
    { width },
  );
  return { seen, timeline };
}
const spoolFor = (frames: number) => openSpool({ dir, maxBytes: frames * frameBytes + 10 });

test('a spool with room for fewer frames than are analysed at once gets on with those', async () => {
  const spool = await spoolFor(2);
  const { seen } = await look(spool, 10);
  expect(seen).toEqual([...Array(10).keys()].map((index) => index * 500));
  expect(spool.bytesInUse).toBe(0);
});

test('while requests take all of the spool it waits, and says so', async () => {
  const spool = await spoolFor(1);
  const body = spool.holdInMemory();
  body.reserve(100);
  const waits: number[] = [];
  const { seen } = await look(spool, 3, {
    onWaitForRoom() {
      waits.push(spool.bytesInUse);
      if (waits.length === 2) body.release();
    },
  });
  expect(seen).toHaveLength(3);
  expect(waits).toEqual([100, 100]);
});

test('waiting ends when the job does', async () => {
  const spool = await spoolFor(1);
  spool.holdInMemory().reserve(100);
  const stopping = new AbortController();
  const reason = new Error('cancelled');
  const looked = look(spool, 3, {
    signal: stopping.signal,
    onWaitForRoom: () => stopping.abort(reason),
  });
  await expect(looked).rejects.toMatchObject({ cause: reason });
});

test('positions before the beginning, and those that go back, are taken as the last', async () => {
  const positions = [-5000, 0, 1000, 500, 1500];
  let next = 0;
  const { seen } = await look(await spoolFor(9), 0, {
    decoder: {
      async next() {
        const atMs = positions[next];
        return atMs === undefined ? null : { ...frameOf(next++), atMs };
      },
    },
  });
  expect(seen).toEqual([0, 0, 1000, 1000, 1500]);
});
