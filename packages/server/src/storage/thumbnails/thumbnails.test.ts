import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcessRunner, type ModelRunner, type ProcessRunner } from '@lynceus/engine';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFairSemaphore } from '../../core/fair-semaphore.js';
import type { BlobStore } from '../blobs/blob-store.js';
import { openFolderBlobs } from '../blobs/folder-blobs.js';
import { faceCrop } from './face-crop.js';
import { forgetThumbnails } from './forget-thumbnails.js';
import { createThumbnailCache, type ThumbnailCache } from './thumbnail-cache.js';
import { openThumbnailFiles } from './thumbnail-files.js';
import { createThumbnails, locationOf as locationOfBlob } from './thumbnails.js';

const { signal } = new AbortController();
const by = { accountId: 1, signal };
const id = 'image-00001';
const image = { owner: 'face', id } as const;
let processes: ProcessRunner;
let dir: string;
let blobs: BlobStore;
let cache: ThumbnailCache;
let decoded: number;

beforeAll(async () => {
  processes = createProcessRunner({ processes: 1, queueMax: 16, jobTimeoutMs: 20_000, maxRssBytes: 2 ** 31 });
  await processes.start();
});
afterAll(() => processes.close());
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-thumbnails-'));
  await open(1e9);
  decoded = 0;
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function open(maxBytes: number) {
  cache = createThumbnailCache(await openThumbnailFiles(join(dir, 'small')), maxBytes);
  blobs = forgetThumbnails(await openFolderBlobs(join(dir, 'large')), 'face', cache.forget);
}

async function keep(width: number, height: number, orientation = 1, as = id) {
  const bytes = await sharp({ create: { width, height, channels: 3, background: '#c04020' } })
    .withMetadata({ orientation })
    .withExif({ IFD0: { Copyright: 'somebody' } })
    .jpeg()
    .toBuffer();
  await blobs.write(as, toPieces(bytes));
}

const counting: Pick<ModelRunner, 'analyse'> = {
  analyse: (job, options) => {
    decoded += 1;
    return processes.analyse(job, options);
  },
};
const locationOf = (as = id) => locationOfBlob(blobs, as);
function thumbnailsBy(
  runner: Pick<ModelRunner, 'analyse'> = counting,
  requireFreeSpace = async () => undefined,
) {
  return createThumbnails({
    runner,
    cache,
    maxPixels: 1e8,
    disk: { require: requireFreeSpace },
    withPermit: createFairSemaphore({
      permits: 1,
      maxWaiting: 2,
      refusal: 'too many thumbnails are waiting; try again shortly',
    }),
  });
}

async function filesKept(): Promise<string[]> {
  const entries = await readdir(join(dir, 'small'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

test('a thumbnail is within its size, upright, without metadata, and read from the disk the next time', async () => {
  await keep(1600, 800);
  const make = () => thumbnailsBy().make({ image, widthPx: 160 }, locationOf(), by);
  const jpeg = await make();
  const { format, width, height, exif, icc } = await sharp(jpeg).metadata();
  expect({ format, width, height, exif, icc }).toEqual({
    format: 'jpeg',
    width: 160,
    height: 80,
    exif: undefined,
    icc: undefined,
  });
  expect(await make()).toEqual(jpeg);
  expect(decoded).toBe(1);
});

test('a small image is not enlarged', async () => {
  await keep(40, 30);
  const jpeg = await thumbnailsBy().make({ image, widthPx: 640 }, locationOf(), by);
  expect(await sharp(jpeg).metadata()).toMatchObject({ width: 40, height: 30 });
});

test('a face is shown in a square of its image', async () => {
  await keep(1000, 600);
  const face = { width: 1000, height: 600, box: { xMin: 400, yMin: 200, xMax: 500, yMax: 330 } };
  const wanted = { image, widthPx: 160, ...faceCrop(face) };
  const jpeg = await thumbnailsBy().make(wanted, locationOf(), by);
  expect(await sharp(jpeg).metadata()).toMatchObject({ width: 160, height: 160 });
});

test('of a deleted image nothing is left, also when its thumbnail was being made meanwhile', async () => {
  await keep(300, 200);
  await thumbnailsBy().make({ image, widthPx: 64 }, locationOf(), by);
  expect(await filesKept()).toEqual(['64']);
  const deleting: Pick<ModelRunner, 'analyse'> = {
    analyse: async (job, options) => {
      const analysis = await counting.analyse(job, options);
      await blobs.remove(id);
      return analysis;
    },
  };
  await thumbnailsBy(deleting).make({ image, widthPx: 160 }, locationOf(), by);
  expect(await filesKept()).toEqual([]);
  await expect(thumbnailsBy().make({ image, widthPx: 64 }, locationOf(), by)).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('a sweep removes thumbnails of images that another process deleted, and no others', async () => {
  await keep(300, 200);
  await keep(300, 200, 1, 'image-00002');
  for (const each of [id, 'image-00002']) {
    await thumbnailsBy().make({ image: { owner: 'face', id: each }, widthPx: 64 }, locationOf(each), by);
  }
  await cache.sweep(async (each) => each.id === 'image-00002');
  expect(await cache.read(image, '64')).toBeNull();
  expect(await cache.read({ owner: 'face', id: 'image-00002' }, '64')).not.toBeNull();
});

test('above the limit of bytes the oldest go', async () => {
  await open(1000);
  for (const [index, each] of ['image-00001', 'image-00002', 'image-00003'].entries()) {
    await cache.write({ owner: 'face', id: each }, '64', Buffer.alloc(400));
    await utimes(join(dir, 'small', 'face', 'im', each, '64'), index, index).catch(() => undefined);
  }
  const kept = [];
  for (const each of ['image-00001', 'image-00002', 'image-00003']) {
    if (await cache.read({ owner: 'face', id: each }, '64')) kept.push(each);
  }
  expect(kept).toEqual(['image-00002', 'image-00003']);
});

test('without room on the disk it is made all the same, and not kept', async () => {
  await keep(300, 200);
  const full = thumbnailsBy(counting, () => Promise.reject(new Error('full')));
  expect((await full.make({ image, widthPx: 64 }, locationOf(), by)).byteLength).toBeGreaterThan(100);
  expect(await filesKept()).toEqual([]);
});

test('a damaged image is reported as such', async () => {
  await blobs.write(id, toPieces(Buffer.from([0xff, 0xd8, 0xff, 1, 2, 3])));
  await expect(thumbnailsBy().make({ image, widthPx: 64 }, locationOf(), by)).rejects.toMatchObject({
    code: 'unsupported_image',
  });
});

test('who waits and has left costs nothing, the same thing is made once, and too many are refused', async () => {
  await keep(300, 200);
  const left = new AbortController();
  const thumbnails = thumbnailsBy();
  const made = [1, 2].map(() => thumbnails.make({ image, widthPx: 64 }, locationOf(), by));
  const given = thumbnails.make({ image, widthPx: 160 }, locationOf(), { ...by, signal: left.signal });
  left.abort();
  await expect(given).rejects.toMatchObject({ code: 'service_busy' });
  await Promise.all(made);
  expect(decoded).toBe(1);
  const many = [64, 160, 320, 640, 1280].map((widthPx) =>
    thumbnails.make({ image, widthPx, variant: 'new' }, locationOf(), by),
  );
  const codes = (await Promise.allSettled(many)).map(({ status }) => status);
  expect(codes.filter((each) => each === 'rejected')).toHaveLength(2);
});

async function* toPieces(bytes: Buffer) {
  yield bytes;
}
