import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BlobStore, StoredBlob } from './blob-store.js';
import { openFolderBlobs } from './folder-blobs.js';

let dir: string;
let blobs: BlobStore;
beforeEach(async () => {
  dir = join(await mkdtemp(join(tmpdir(), 'lynceus-blobs-')), 'images');
  blobs = await openFolderBlobs(dir);
});
afterEach(() => rm(join(dir, '..'), { recursive: true }));

async function* chunks(...all: readonly (string | Error)[]): AsyncIterable<Uint8Array> {
  for (const each of all) {
    if (each instanceof Error) throw each;
    yield Buffer.from(each);
  }
}
const idOf = (letter: string) => letter.repeat(32);
const bytesOf = async (found: StoredBlob | null) => (found ? buffer(found.stream) : Buffer.alloc(0));
const idsListed = async () => {
  const ids: string[] = [];
  for await (const { id } of blobs.list()) ids.push(id);
  return ids.sort();
};

test('a blob is read as it was written, also after reopening', async () => {
  expect(await blobs.write(idOf('a'), chunks('one', 'two'))).toBe(6);
  const again = await openFolderBlobs(dir);
  const found = await again.read(idOf('a'));
  expect(found?.sizeBytes).toBe(6);
  expect((await bytesOf(found)).toString()).toBe('onetwo');
});

test('what is not there is null, and removing it twice is the same as once', async () => {
  await blobs.write(idOf('a'), chunks('x'));
  await blobs.remove(idOf('a'));
  await blobs.remove(idOf('a'));
  expect(await blobs.read(idOf('a'))).toBeNull();
  expect(await idsListed()).toEqual([]);
});

test('a list has every blob and nothing that is half-written', async () => {
  for (const letter of ['a', 'b', 'c']) await blobs.write(idOf(letter), chunks(letter));
  await expect(blobs.write(idOf('d'), chunks('half', new Error('cut')))).rejects.toThrow('cut');
  expect(await idsListed()).toEqual(['a', 'b', 'c'].map(idOf));
  expect(await readdir(join(dir, 'writing'))).toEqual([]);
  expect(await blobs.read(idOf('d'))).toBeNull();
});

test('an id that is a way out of the folder is refused', async () => {
  for (const id of ['../../../etc/passwd', 'aaaaaaaa/../..', 'AAAAAAAAAA', 'a', '', 'aaaaaaaa\0']) {
    await expect(blobs.read(id), id).rejects.toMatchObject({ code: 'value' });
    await expect(blobs.write(id, chunks('x')), id).rejects.toMatchObject({ code: 'value' });
  }
});

test('a link that lies in place of a blob is not followed', async () => {
  await blobs.write(idOf('a'), chunks('x'));
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
  const listed = await idsListed();
  expect(acknowledged.length).toBeGreaterThan(50);
  expect(listed).toEqual(expect.arrayContaining(acknowledged));
  for (const id of listed) {
    const found = await blobs.read(id);
    expect((await bytesOf(found)).equals(Buffer.alloc(100_000, id))).toBe(true);
  }
  expect(await readdir(join(dir, 'writing'))).toEqual([]);
});
