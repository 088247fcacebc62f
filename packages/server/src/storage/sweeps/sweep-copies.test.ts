import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database.js';
import { openFileCache } from '../objects/file-cache.js';
import { createMemoryBucket } from '../objects/fixtures/memory-bucket.js';
import { createObjectBlobs } from '../objects/object-blobs.js';
import { sweepCopies } from './sweep-copies.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-copies-'));
});
afterEach(() => rm(dir, { recursive: true }));

const bucket = createMemoryBucket();
/** Ids that rows name. */
const rows = new Set<string>();
const faces = {
  name: 'faces',
  findNamed: async (ids: readonly string[]) => new Set(ids.filter((id) => rows.has(id))),
} as const;
// No statement of it is executed.
const run = (sweep: ReturnType<typeof sweepCopies>) => sweep.run({} as Database);

async function openReplica() {
  const cache = await openFileCache(join(dir, randomUUID()), 1_000_000);
  const blobs = createObjectBlobs(bucket, cache, 'faces');
  const sweep = sweepCopies(cache, [faces]);
  return { cache, blobs, sweep };
}
async function* content(text: string) {
  yield Buffer.from(text);
}

test('a deleted image is served by no replica, and its file leaves the others with their next sweep', async () => {
  const [one, two] = [await openReplica(), await openReplica()];
  const [deleted, kept] = [randomUUID(), randomUUID()];
  for (const id of [deleted, kept]) {
    await one.blobs.write(id, content(`the image ${id}`));
    rows.add(id);
  }
  const paths: string[] = [];
  for (const id of [deleted, kept]) {
    const held = await two.blobs.hold(id);
    paths.push(held?.path ?? '');
    held?.release();
  }
  rows.delete(deleted);
  await one.blobs.remove(deleted);
  expect(await two.blobs.read(deleted)).toBeNull();
  expect(paths.map((path) => existsSync(path))).toEqual([true, true]);
  await run(two.sweep);
  expect(paths.map((path) => existsSync(path))).toEqual([false, true]);
  expect(two.cache.keys()).toEqual([`faces-${kept}`]);
  expect(await two.blobs.hold(deleted)).toBeNull();
});

test('a file that is in use goes when it is released', async () => {
  const [one, two] = [await openReplica(), await openReplica()];
  const id = randomUUID();
  await one.blobs.write(id, content('an image'));
  const held = await two.blobs.hold(id);
  await one.blobs.remove(id);
  await run(two.sweep);
  expect(existsSync(held?.path ?? '')).toBe(true);
  held?.release();
  await expect.poll(() => existsSync(held?.path ?? '')).toBe(false);
});

test('runs on every service, of whatever role, and while sweeps are suspended', async () => {
  const { sweep } = await openReplica();
  expect(sweep).toMatchObject({ isLocal: true, isRepair: true });
});
