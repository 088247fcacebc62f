import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Frame, Pace } from './frame.js';
import type { ByteInput } from './frame-pipe.js';
import { FrameReader } from './frame-reader.js';

const never = new AbortController().signal;
const info = (index: number, width = 4) => ({ positionMs: index * 100, sourceWidth: width, sourceHeight: 2 });
/** A image of 4 × 2 pixels, all of one value. */
const image = (value: number) => Buffer.concat([Buffer.from('P6\n4 2\n255\n'), Buffer.alloc(24, value)]);
const small = (value: number) => Buffer.concat([Buffer.from('P5\n2 1\n255\n'), Buffer.alloc(2, value)]);

/** Chunks that are overwritten after the call, as those of a socket are. */
function inputOf(stream: PassThrough): ByteInput {
  return {
    start: (onChunk) =>
      stream.on('data', (chunk: Buffer) => {
        onChunk(chunk);
        chunk.fill(0x21);
      }),
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    destroy: () => stream.destroy(),
    closed: once(stream, 'close').then(() => undefined),
  };
}

function open(pace: Pace) {
  const frames = new PassThrough({ highWaterMark: 64 });
  const grey = new PassThrough();
  const seen: number[] = [];
  const ends: string[] = [];
  const reader = new FrameReader({
    frames: inputOf(frames),
    grey,
    pace,
    mayResize: false,
    maxPixels: 100,
    clock: () => 5000,
    onFrame: ({ index }) => seen.push(index),
    onEnd: (why) => ends.push(why),
  });
  const write = (index: number) => {
    frames.write(image(index));
    grey.write(small(index));
    reader.pushInfo(info(index));
  };
  const next = async () => {
    const frame = await reader.next(never);
    return (
      frame && { index: frame.index, value: frame.pixels[0], last: frame.pixels.at(-1), atMs: frame.atMs }
    );
  };
  return { frames, grey, reader, seen, ends, write, next };
}

test('the newest live frame wins, and only two buffers are ever in use', async () => {
  const { reader, write, next, seen } = open('live');
  const buffers = new Set<ArrayBufferLike>();
  for (let index = 0; index < 5; index += 1) write(index);
  await expect.poll(() => seen.length).toBe(5);
  expect(await next()).toEqual({ index: 4, value: 4, last: 4, atMs: 5000 });
  for (let index = 5; index < 50; index += 1) {
    write(index);
    if (index % 3 !== 0) continue;
    await expect.poll(() => seen.at(-1)).toBe(index);
    const frame = await reader.next(never);
    expect(frame).toMatchObject({ index });
    expect(frame?.motion.pixels[0]).toBe(index);
    if (frame !== null) buffers.add(frame.pixels.buffer);
  }
  expect(buffers.size).toBeLessThanOrEqual(2);
});

test('what the caller holds is not overwritten before it asks again', async () => {
  const { reader, write, seen } = open('live');
  write(0);
  const held = await reader.next(never);
  for (let index = 1; index < 6; index += 1) write(index);
  await expect.poll(() => seen.length).toBe(6);
  expect(held?.pixels.every((value) => value === 0)).toBe(true);
  expect((await reader.next(never))?.index).toBe(5);
});

test('every frame of a file comes, in order, and what writes them waits', async () => {
  const { frames, grey, reader, next } = open('every-frame');
  const count = 200;
  let written = 0;
  const write = async () => {
    for (; written < count; written += 1) {
      grey.write(small(written));
      reader.pushInfo(info(written));
      if (!frames.write(image(written))) await new Promise((resolve) => frames.once('drain', resolve));
    }
    frames.end();
    frames.once('close', () => reader.finish());
  };
  const writing = write();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(written).toBeLessThan(20);
  for (let index = 0; index < count; index += 1) {
    expect(await next()).toEqual({ index, value: index & 0xff, last: index & 0xff, atMs: index * 100 });
  }
  await writing;
  expect(await next()).toBeNull();
});

test('image, small image and log line are joined in whatever order they come', async () => {
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  for (const order of orders) {
    const { frames, grey, reader, seen } = open('live');
    const steps = [() => frames.write(image(7)), () => grey.write(small(8)), () => reader.pushInfo(info(0))];
    for (const step of order) {
      steps[step]?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await expect.poll(() => seen).toEqual([0]);
    const frame = await reader.next(never);
    expect([frame?.pixels[0], frame?.motion.pixels[0], frame?.sourceWidth]).toEqual([7, 8, 4]);
  }
});

test('a source whose images change their size ends before the first of them', async () => {
  const { frames, grey, reader, write, ends, seen } = open('live');
  write(0);
  await expect.poll(() => seen).toEqual([0]);
  reader.pushInfo(info(1, 8));
  frames.write(image(1));
  grey.write(small(1));
  await expect.poll(() => ends).toEqual(['resized']);
  expect(await reader.next(never)).toBeNull();
  expect(seen).toEqual([0]);
});

test('where the log is ahead of the images, those before the other size are delivered', async () => {
  const { frames, grey, reader, ends, seen } = open('every-frame');
  for (const index of [0, 1]) reader.pushInfo(info(index));
  reader.pushInfo(info(2, 8));
  for (const index of [0, 1, 2]) {
    frames.write(image(index));
    grey.write(small(index));
  }
  expect([(await reader.next(never))?.index, (await reader.next(never))?.index]).toEqual([0, 1]);
  expect(await reader.next(never)).toBeNull();
  expect([ends, seen]).toEqual([['resized'], [0, 1]]);
});

test('broken images end it, and a call that waits ends with it or with its signal', async () => {
  const { frames, reader, ends } = open('live');
  const controller = new AbortController();
  const aborted = reader.next(controller.signal);
  controller.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  const waiting: Promise<Frame | null> = reader.next(never);
  frames.write(Buffer.alloc(100, 0x41));
  expect(await waiting).toBeNull();
  expect(ends).toEqual(['broken']);
});
