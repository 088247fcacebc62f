import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createDiskGuard } from './disk-guard.js';

const mebibyte = 2 ** 20;

function diskGuardOf(freeBytes: () => number, reserveBytes = 100 * mebibyte) {
  return createDiskGuard({ dir: '/', reserveBytes, readFreeBytes: async () => freeBytes() });
}

test('what leaves the reserve alone has room, and one byte more has none', async () => {
  const diskGuard = diskGuardOf(() => 101 * mebibyte);
  await diskGuard.require(mebibyte);
  await expect(diskGuard.require(mebibyte + 1)).rejects.toMatchObject({ code: 'no_space' });
  await diskGuardOf(() => 0, 0).require(mebibyte);
});

test('what can be brought again goes before anything is refused, and no sooner', async () => {
  let [free, kept] = [101 * mebibyte, 5 * mebibyte];
  const disk = createDiskGuard({
    ...{ dir: '/', reserveBytes: 100 * mebibyte, readFreeBytes: async () => free },
    async giveUp(bytes) {
      const gone = Math.min(bytes, kept);
      [free, kept] = [free + gone, kept - gone];
    },
  });
  await disk.require(mebibyte);
  expect(kept).toBe(5 * mebibyte);
  await disk.require(4 * mebibyte);
  expect(kept).toBe(2 * mebibyte);
  await expect(disk.require(7 * mebibyte)).rejects.toMatchObject({ code: 'no_space' });
});

test('a stream ends before it takes of the reserve, wherever the disk fills up', async () => {
  let written = 0;
  const diskGuard = diskGuardOf(() => 400 * mebibyte - written);
  const endless = async function* () {
    for (;;) yield new Uint8Array(mebibyte);
  };
  const reading = async () => {
    for await (const piece of diskGuard.guard(endless())) written += piece.byteLength;
  };
  await expect(reading()).rejects.toMatchObject({ code: 'no_space' });
  expect(written).toBeGreaterThan(150 * mebibyte);
  expect(written).toBeLessThanOrEqual(300 * mebibyte);
});

test('a stream for which there is room passes as it is', async () => {
  const guarded = createDiskGuard({ dir: '/', reserveBytes: 1 }).guard(Readable.from([Buffer.from('whole')]));
  expect((await buffer(guarded)).toString()).toBe('whole');
});
