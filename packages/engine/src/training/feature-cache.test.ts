import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { openFeatureCache } from './feature-cache.js';

const dirs: string[] = [];
async function newCache() {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-cache-'));
  dirs.push(dir);
  return { dir, cache: openFeatureCache(dir, { id: 'net', version: '1', dir: '' }, 'kind') };
}
afterEach(() => Promise.all(dirs.splice(0).map((dir) => rm(dir, { recursive: true }))));

const sha256 = 'ab'.repeat(32);

test('features come back as they were written, and none from another backbone', async () => {
  const { dir, cache } = await newCache();
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (features) => {
      await cache.write(sha256, features);
      expect(await cache.read(sha256)).toEqual(features);
    }),
    { numRuns: 30 },
  );
  const other = openFeatureCache(dir, { id: 'net', version: '2', dir: '' }, 'kind');
  expect(await other.read(sha256)).toBeUndefined();
});

test('a damaged or truncated entry is ignored', async () => {
  const { dir, cache } = await newCache();
  await cache.write(sha256, Buffer.from('features of an image'));
  const path = join(dir, 'net@1', 'kind', 'ab', sha256);
  const whole = await readFile(path);
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ change;
      await writeFile(path, damaged);
      expect(await cache.read(sha256)).toBeUndefined();
      await writeFile(path, whole.subarray(0, at));
      expect(await cache.read(sha256)).toBeUndefined();
    }),
    { numRuns: 50 },
  );
});

test('nothing half-written is left behind', async () => {
  const { dir, cache } = await newCache();
  await Promise.all(Array.from({ length: 20 }, () => cache.write(sha256, Buffer.alloc(1000))));
  expect(await readdir(join(dir, 'net@1', 'kind', 'ab'))).toEqual([sha256]);
  expect(await readdir(join(dir, 'writing'))).toEqual([]);
});
