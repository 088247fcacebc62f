import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { HeldFile } from '../blobs/blob-store.js';
import { type FolderCache, openFolderCache } from './folder-cache.js';

let dir: string;
let cache: FolderCache;
let brought: string[];
beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'lynceus-folders-')), 'cache');
  cache = await openFolderCache(dir, 1000);
  brought = [];
});
afterEach(() => rm(join(dir, '..'), { recursive: true }));

async function fill(folder: string, bytes: number): Promise<void> {
  await mkdir(join(folder, 'source'), { recursive: true });
  await writeFile(join(folder, 'source', '0'), Buffer.alloc(bytes, 7));
}
async function hold(key: string, bytes = 400): Promise<HeldFile> {
  const held = await cache.hold(key, async (folder) => {
    brought.push(key);
    await fill(folder, bytes);
    return true;
  });
  if (held === null) throw new Error('nothing is held');
  return held;
}
const folders = async () => (await readdir(dir)).filter((name) => name !== 'unfinished').sort();

test('of many who ask at once one brings the folder, to a path that follows from its key', async () => {
  const held = await Promise.all(Array.from({ length: 20 }, () => hold('a')));
  expect(new Set(held.map(({ path }) => path))).toEqual(new Set([cache.folderOf('a')]));
  expect(await readFile(join(cache.folderOf('a'), 'source', '0'))).toHaveLength(400);
  expect([cache.keyOf(cache.folderOf('a')), cache.keyOf('/elsewhere/a'), cache.keyOf(dir)]).toEqual([
    'a',
    null,
    null,
  ]);
  for (const each of held) each.release();
  (await hold('a')).release();
  expect(brought).toEqual(['a']);
});

test('above its bytes the one used longest ago goes, and none that is held', async () => {
  const first = await hold('a');
  for (const key of ['b', 'c', 'd']) (await hold(key)).release();
  await vi.waitUntil(() => cache.bytes() <= 1000);
  expect(await folders()).toEqual(['a', 'd']);
  first.release();
  (await hold('a')).release();
  expect(brought).toEqual(['a', 'b', 'c', 'd']);
  (await hold('b')).release();
  expect(brought).toEqual(['a', 'b', 'c', 'd', 'b']);
});

test('one that goes and is asked for at once is brought whole to the same path', async () => {
  for (let round = 0; round < 10; round += 1) {
    const [one, other] = await Promise.all([hold('a', 700), hold('b', 700)]);
    expect(await readFile(join(one.path, 'source', '0'))).toHaveLength(700);
    expect(await readFile(join(other.path, 'source', '0'))).toHaveLength(700);
    one.release();
    other.release();
  }
  await vi.waitUntil(() => cache.bytes() <= 1000);
});

test('a deleted one stays for whoever holds it, is nothing for others, and goes when it is released', async () => {
  const held = await hold('a');
  await cache.forget('a');
  expect(existsSync(join(held.path, 'source', '0'))).toBe(true);
  expect(await cache.hold('a', async () => true)).toBeNull();
  held.release();
  expect(existsSync(held.path)).toBe(false);
  expect([cache.keys(), cache.bytes()]).toEqual([[], 0]);
});

test('what there is not, and what could not be brought, leaves nothing and is asked for again', async () => {
  expect(await cache.hold('a', async () => false)).toBeNull();
  const cut = async (folder: string) => {
    await fill(folder, 10);
    throw new Error('cut');
  };
  const [one, other] = await Promise.allSettled([cache.hold('a', cut), cache.hold('a', cut)]);
  expect([one.status, other.status]).toEqual(['rejected', 'rejected']);
  expect([await folders(), await readdir(join(dir, 'unfinished'))]).toEqual([[], []]);
  (await hold('a')).release();
  expect(cache.bytes()).toBe(400);
});

test('a folder that was written here is taken over', async () => {
  const written = join(dir, '..', 'written');
  await fill(written, 100);
  await cache.adopt('a', written);
  (await hold('a')).release();
  expect([brought, existsSync(written), cache.bytes()]).toEqual([[], false, 100]);
});

test('what an earlier service left is not trusted', async () => {
  (await hold('a')).release();
  cache = await openFolderCache(dir, 1000);
  expect(await folders()).toEqual([]);
});
