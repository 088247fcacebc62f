import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { mostCpuBetweenTurns } from '../../core/fixtures/cpu-between-turns.js';
import { writeMotionJpeg } from './motion-jpeg.js';

const start = [0xff, 0xd8];
const marker = (code: number, length: number) => [0xff, code, length >> 8, length & 0xff];
/** What a camera sends: a pattern without end, in chunks as a socket gives them. */
async function* sent(head: readonly number[], pattern: readonly number[], mebibytes = 40) {
  yield Buffer.from(head);
  const chunk = Buffer.alloc(Math.ceil(65_536 / pattern.length) * pattern.length, Buffer.from(pattern));
  for (let bytes = mebibytes * 1024 * 1024; bytes > 0; bytes -= chunk.length) {
    yield chunk.subarray(0, bytes);
    await nextTurn();
  }
}

/** A segment as long as there may be, full of beginnings of images. */
const fullSegment = [...marker(0xe0, 0xffff), ...Buffer.alloc(0xffff - 2, Buffer.from([...start, 0xff]))];

test.each([
  ['beginnings of images', () => sent([], [...start, 0xff])],
  ['segments that are full of beginnings', () => sent(start, fullSegment)],
  ['headers in headers', () => sent(start, [...marker(0xe0, 4), ...start])],
  ['a broken header behind each beginning', () => sent([], [...start, ...marker(0xe0, 4), 0, 0, 0])],
  ['an endless scan', () => sent([...start, ...marker(0xda, 2)], [0xff, 0])],
  ['endless fill bytes', () => sent(start, [0xff])],
])('a camera that sends %s blocks nobody, and its stream ends', async (_name, send) => {
  const read = async () => {
    for await (const _part of writeMotionJpeg(send())) await nextTurn();
  };
  const { most } = await mostCpuBetweenTurns(() =>
    expect(read()).rejects.toMatchObject({ code: 'no-video', message: expect.stringContaining('32 MiB') }),
  );
  expect(most).toBeLessThan(60);
});

test('an image of almost 32 MiB is passed on whole, and blocks nobody', async () => {
  const size = 31 * 1024 * 1024;
  async function* twice() {
    for (let time = 0; time < 2; time += 1) {
      yield* sent([...start, ...marker(0xda, 2)], [1], 31);
      yield Buffer.from([0xff, 0xd9]);
    }
  }
  const images: number[] = [];
  const { most } = await mostCpuBetweenTurns(async () => {
    images.length = 0;
    for await (const part of writeMotionJpeg(twice())) if (part.length > 100) images.push(part.length);
  });
  expect(images).toEqual([size + 8, size + 8]);
  expect(most).toBeLessThan(60);
});
