import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HeldFile } from '../blobs/blob-store.js';
import { type FileCache, openFileCache } from './file-cache.js';

let dir: string;
let cache: FileCache;
let brought: number;
beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'lynceus-cache-')), 'cache');
  cache = await openFileCache(dir, 1000);
  brought = 0;
});
afterEach(() => rm(join(dir, '..'), { recursive: true }));

const bring = (bytes: number) => async () => {
  brought += 1;
  return (async function* () {
    yield Buffer.alloc(bytes, 7);
  })();
};
async function hold(key: string, bytes = 400): Promise<HeldFile> {
  const held = await cache.hold(key, bring(bytes));
  if (held === null) throw new Error('nothing is held');
  return held;
}

test('of many who ask at once one brings the file, and later it is there', async () => {
  const held = await Promise.all(Array.from({ length: 20 }, () => hold('a')));
  expect(new Set(held.map(({ path }) => path)).size).toBe(1);
  expect(await readFile(held[0]?.path ?? '')).toHaveLength(400);
  for (const file of held) file.release();
  (await hold('a')).release();
  expect(brought).toBe(1);
});

test('above its bytes the one used longest ago goes, and none that is held', async () => {
  const first = await hold('a');
  for (const key of ['b', 'c', 'd', 'e']) (await hold(key)).release();
  await vi.waitUntil(async () => (await readdir(dir)).length === 2);
  expect(existsSync(first.path)).toBe(true);
  first.release();
  (await hold('a')).release();
  expect(brought).toBe(5);
  (await hold('b')).release();
  expect(brought).toBe(6);
  expect(cache.bytes()).toBeLessThanOrEqual(1000);
});

test('more than its bytes may be held at once, and goes when it is released', async () => {
  const held = await Promise.all(['a', 'b', 'c', 'd'].map((key) => hold(key)));
  expect(cache.bytes()).toBe(1600);
  for (const file of held) {
    file.release();
    file.release();
  }
  await vi.waitUntil(() => cache.bytes() <= 1000);
});

test('for others on the disk, those used longest ago go, and none that is held', async () => {
  const [first] = [await hold('a', 100)];
  for (const key of ['b', 'c', 'd']) (await hold(key, 100)).release();
  expect(await cache.giveUp(150)).toBe(200);
  expect(cache.keys()).toEqual(['a', 'd']);
  expect(await cache.giveUp(1000)).toBe(100);
  expect(existsSync(first.path)).toBe(true);
  first.release();
});

test('a forgotten file stays for whoever holds it, and no longer', async () => {
  const held = await hold('a');
  await cache.forget('a');
  expect(existsSync(held.path)).toBe(true);
  const other = await hold('a');
  expect(brought).toBe(2);
  held.release();
  await vi.waitUntil(() => !existsSync(held.path));
  expect(existsSync(other.path)).toBe(true);
  other.release();
});

test('all files of some keys are forgotten at once, and no others', async () => {
  for (const key of ['a-1', 'a-2', 'b-1']) (await hold(key, 100)).release();
  await cache.forgetAll((key) => key.startsWith('a-'));
  expect(cache.bytes()).toBe(100);
  expect(await readdir(dir)).toHaveLength(1);
});

test('what there is not, and what could not be brought, leaves nothing and is asked for again', async () => {
  expect(await cache.hold('a', async () => null)).toBeNull();
  const cut = async () =>
    (async function* () {
      yield Buffer.alloc(10);
      throw new Error('cut');
    })();
  await expect(cache.hold('a', cut)).rejects.toThrow('cut');
  await vi.waitUntil(async () => (await readdir(dir)).length === 0);
  (await hold('a')).release();
  expect(cache.bytes()).toBe(400);
});

test('a file that was written here is taken over', async () => {
  const path = cache.newPath();
  await writeFile(path, 'written');
  await cache.adopt('a', path);
  const held = await hold('a');
  expect(await readFile(held.path, 'utf8')).toBe('written');
  held.release();
  expect([brought, existsSync(path)]).toEqual([0, false]);
});

test('what an earlier service left is not trusted', async () => {
  (await hold('a')).release();
  cache = await openFileCache(dir, 1000);
  expect(await readdir(dir)).toEqual([]);
});
