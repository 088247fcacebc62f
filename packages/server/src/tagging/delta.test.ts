import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareFiles } from './delta.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lynceus-delta-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The former bytes as the list makes them, and how many of them are not in the later file. */
async function roundTrip(former: Buffer, later: Buffer): Promise<{ made: Buffer; kept: number }> {
  const [one, other] = [join(folder, 'former'), join(folder, 'later')];
  await writeFile(one, former);
  await writeFile(other, later);
  const pieces = await compareFiles(one, other);
  let [at, kept] = [0, 0];
  const made = pieces.map(({ copied, bytes }) => {
    const from = copied === null ? former.subarray(at, at + bytes) : later.subarray(copied, copied + bytes);
    if (copied === null) kept += bytes;
    at += bytes;
    return from;
  });
  return { made: Buffer.concat(made), kept };
}

test('whatever two files are, the former one is made from the later one and what is kept', async () => {
  const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
  await fc.assert(
    fc.asyncProperty(bytes, bytes, bytes, bytes, async (a, b, c, d) => {
      const [former, later] = [Buffer.concat([a, b, c]), Buffer.concat([c, d, b, a])];
      expect((await roundTrip(former, later)).made.equals(former)).toBe(true);
    }),
    { numRuns: 40 },
  );
});

/** Bytes that are found nowhere else. */
function noise(length: number, seed: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${seed} ${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

test.each([
  [
    'grow before the image',
    (pixels: Buffer) => [
      [noise(90, 1), pixels],
      [noise(3000, 2), pixels],
    ],
  ],
  [
    'are appended, and sizes at the beginning change',
    (pixels: Buffer) => [
      [noise(20, 1), pixels],
      [noise(20, 3), pixels, noise(2500, 2)],
    ],
  ],
  [
    'move from behind the image to before it',
    (pixels: Buffer) => [
      [noise(40, 1), pixels, noise(900, 4)],
      [noise(40, 1), noise(900, 4), noise(700, 5), pixels],
    ],
  ],
])('where metadata %s, little is kept', async (_what, make) => {
  const [former = [], later = []] = make(noise(300_000, 7)).map((parts) => Buffer.concat(parts));
  if (!Buffer.isBuffer(former) || !Buffer.isBuffer(later)) throw new Error('no files');
  const { made, kept } = await roundTrip(former, later);
  expect(made.equals(former)).toBe(true);
  expect(kept).toBeLessThan(1100);
});

test('an image of few colours, whose bytes recur everywhere, is found where it was', async () => {
  const flat = Buffer.alloc(200_000, 'abcdefgh');
  const { made, kept } = await roundTrip(
    Buffer.concat([noise(30, 1), flat, noise(50, 2)]),
    Buffer.concat([noise(30, 3), flat, noise(900, 4)]),
  );
  expect(made.length).toBe(200_080);
  expect(kept).toBeLessThan(200);
});

test('beginnings and ends longer than what is read at once are found', async () => {
  const [head, tail] = [noise(700_000, 1), noise(600_000, 2)];
  const { made, kept } = await roundTrip(
    Buffer.concat([head, Buffer.from('old'), tail]),
    Buffer.concat([head, Buffer.from('newer'), tail]),
  );
  expect(made.length).toBe(1_300_003);
  expect(kept).toBeLessThan(10);
  expect(made.equals(await readFile(join(folder, 'former')))).toBe(true);
});
