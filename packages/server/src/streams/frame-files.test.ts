import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSpool, type Spool } from '../intake/spool.js';
import { createFrameFiles } from './frame-files.js';

let dir: string;
let spool: Spool;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-frames-'));
  spool = await openSpool({ dir, maxBytes: 1000 });
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const frameOf = (width: number, height: number, value: number) => ({
  ...{ width, height },
  pixels: new Uint8Array(width * height * 3).fill(value),
});

test('frames of a stream take two files in turn, each as long as its frame', async () => {
  const files = createFrameFiles(spool);
  for (const [width, value] of [
    [4, 1],
    [8, 2],
    [2, 3],
  ] as const) {
    const frame = await files.write(frameOf(width, 4, value));
    expect(await readFile(frame?.source.path ?? '')).toEqual(Buffer.alloc(width * 4 * 3, value));
    expect(frame?.source).toMatchObject({ kind: 'frame', width, height: 4 });
    frame?.release();
  }
  expect(await readdir(dir)).toHaveLength(1);
  await files.close();
  expect([await readdir(dir), spool.bytesInUse]).toEqual([[], 0]);
});

test('a frame that is held stays, and while both are there is no place for a third', async () => {
  const files = createFrameFiles(spool);
  const first = await files.write(frameOf(4, 4, 1));
  first?.hold();
  const second = await files.write(frameOf(4, 4, 2));
  expect(await files.write(frameOf(4, 4, 3))).toBeNull();
  first?.release();
  expect(await files.write(frameOf(4, 4, 3))).toBeNull();
  expect((await readFile(first?.source.path ?? ''))[0]).toBe(1);
  first?.release();
  const third = await files.write(frameOf(4, 4, 3));
  expect(third?.source.path).toBe(first?.source.path);
  second?.release();
  third?.release();
  await files.close();
});

test('a frame for which the spool has no room is refused, and a smaller one is not', async () => {
  const files = createFrameFiles(spool.of(1));
  await expect(files.write(frameOf(20, 20, 1))).rejects.toMatchObject({
    code: 'too_many_requests',
    message: expect.stringContaining('reduce max_width'),
  });
  const small = await files.write(frameOf(4, 4, 1));
  expect(small).not.toBeNull();
  small?.release();
  await files.close();
  expect(spool.bytesInUse).toBe(0);
});
