import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { DropFolders } from '../drop-folders.js';
import { createMemoryFolders } from '../servers/fixtures/memory-folders.js';
import { openDownload } from './download.js';

const entry = { name: 'a.jpg', kind: 'file', sizeBytes: 20, modifiedMs: 0 } as const;

function downloadOf(read: () => Readable) {
  const folders: DropFolders = {
    ...createMemoryFolders(),
    read: async () => ({ sizeBytes: entry.sizeBytes, stream: read() }),
  };
  return openDownload(folders, ['done', 'a.jpg'], entry);
}

test('a file that ends before its size is no whole one', async () => {
  const download = downloadOf(() => Readable.from([Buffer.alloc(10)]));
  expect(await download.read(0, 10)).toHaveLength(10);
  await expect(download.read(10, 10)).rejects.toThrow(/ends early/);
  expect(await download.read(20, 10)).toBeNull();
});

test('after bytes that could not be read, the rest is read anew', async () => {
  let opened = 0;
  async function* fails() {
    yield Buffer.alloc(10);
    throw new Error('EIO');
  }
  const download = downloadOf(() => Readable.from(++opened === 1 ? fails() : [Buffer.alloc(10)]));
  expect(await download.read(0, 10)).toHaveLength(10);
  await expect(download.read(10, 10)).rejects.toThrow('EIO');
  expect(await download.read(10, 10)).toHaveLength(10);
});
