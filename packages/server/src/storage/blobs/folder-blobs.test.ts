import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BlobStore } from './blob-store.js';
import { blobContract, bytesOf, idOf, idsIn, piecesOf } from './fixtures/blob-contract.js';
import { openFolderBlobs } from './folder-blobs.js';

let dir: string;
let blobs: BlobStore;
beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'lynceus-blobs-')), 'images');
  blobs = await openFolderBlobs(dir);
});
afterEach(() => rm(join(dir, '..'), { recursive: true }));

blobContract(() => openFolderBlobs(dir));

test('nothing of a blob whose content ends with an error is left on the disk', async () => {
  await expect(blobs.write(idOf('d'), piecesOf('half', new Error('cut')))).rejects.toThrow('cut');
  expect(await readdir(join(dir, 'writing'))).toEqual([]);
});

test('a link that lies in place of a blob is not followed', async () => {
  await blobs.write(idOf('a'), piecesOf('x'));
  await writeFile(join(dir, 'secret'), 'secret');
  await symlink(join(dir, 'secret'), join(dir, 'aa', `${idOf('a')}b`));
  await expect(blobs.read(`${idOf('a')}b`)).rejects.toMatchObject({ code: 'access' });
});

test('what was acknowledged is whole after the writer was killed, and nothing half-written is found', async () => {
  const writer = fileURLToPath(new URL('./fixtures/blob-writer.js', import.meta.url));
  const child = spawn(process.execPath, [writer, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.split('\n').length > 60) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
  blobs = await openFolderBlobs(dir);
  const acknowledged = said.split('\n').slice(0, -1);
  const listed = await idsIn(blobs);
  expect(acknowledged.length).toBeGreaterThan(50);
  expect(listed).toEqual(expect.arrayContaining(acknowledged));
  for (const id of listed) {
    expect((await bytesOf(blobs, id))?.equals(Buffer.alloc(100_000, id))).toBe(true);
  }
  expect(await readdir(join(dir, 'writing'))).toEqual([]);
});
