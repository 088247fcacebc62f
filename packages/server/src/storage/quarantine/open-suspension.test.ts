import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DataFolder, dataFolder } from '../data-folder.js';
import type { Bucket } from '../objects/bucket.js';
import { openSweepSuspensions } from './open-suspension.js';

let folders: readonly DataFolder[];
beforeEach(() => {
  folders = ['one', 'two'].map((name) => dataFolder(mkdtempSync(join(tmpdir(), `lynceus-${name}-`))));
});
afterEach(() => {
  for (const { dir } of folders) rmSync(dir, { recursive: true });
});

/** A bucket of small objects, as far as it is asked for one. */
function smallBucket(): { readonly bucket: Bucket; readonly objects: Map<string, Uint8Array> } {
  const objects = new Map<string, Uint8Array>();
  const unused = () => Promise.reject(new Error('not asked for'));
  const bucket: Bucket = {
    shown: 's3://bucket',
    async put(key, body) {
      if (body.kind === 'bytes') objects.set(key, body.bytes);
    },
    async get(key) {
      const bytes = objects.get(key);
      return bytes
        ? { sizeBytes: bytes.length, sha256: null, stream: Readable.from([Buffer.from(bytes)]) }
        : null;
    },
    async remove(key) {
      objects.delete(key);
    },
    head: unused,
    getPart: unused,
    copy: unused,
    list: () => {
      throw new Error('not asked for');
    },
    state: () => true,
    close: () => undefined,
  };
  return { bucket, objects };
}
const open = (objects: Parameters<typeof openSweepSuspensions>[1]) =>
  folders.map((folder) => openSweepSuspensions(folder, objects));
const until = (untilMs: number) => ({ untilMs, reason: 'lynceus orphans restore' });

test('a suspension by one replica holds for all that share the bucket, and any of them ends it', async () => {
  const [one, two] = open(smallBucket());
  await one?.suspend(until(1000), 0);
  expect(await two?.read(999)).toEqual(until(1000));
  expect(await two?.read(1000)).toBeNull();
  await two?.suspend(until(500), 0);
  expect(await one?.read(0)).toEqual(until(1000));
  await one?.resume();
  expect(await one?.read(0)).toBeNull();
  // That of its own data folder ends there.
  expect(await two?.read(0)).toEqual(until(500));
});

test('without a bucket it holds for the data folder alone, and one of the folder is seen beside a bucket', async () => {
  const [one, two] = open(null);
  await one?.suspend(until(1000), 0);
  expect([await one?.read(0), await two?.read(0)]).toEqual([until(1000), null]);
  const [shared] = open(smallBucket());
  expect(await shared?.read(0)).toEqual(until(1000));
});

test('a damaged one is an error and no permission', async () => {
  const { bucket, objects } = smallBucket();
  objects.set('quarantine/sweeps-suspended.json', Buffer.from('{"untilMs":'));
  const [one] = open({ bucket });
  await expect(one?.read(0)).rejects.toThrow(/s3:\/\/bucket\/quarantine\/sweeps-suspended.json is damaged/);
});
