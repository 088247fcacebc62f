import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeZip, type ZipEntry } from '../../../storage/archive/fixtures/make-zip.js';
import { indexFiles } from '../formats/find-file.js';
import { openTree } from './open-tree.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-zip-'));
});
afterEach(() => rm(dir, { recursive: true }));

const image = Buffer.from('as good as an image '.repeat(20));

async function open(zip: Buffer | readonly ZipEntry[]) {
  const path = join(dir, 'a.zip');
  await writeFile(path, Buffer.isBuffer(zip) ? zip : makeZip(zip));
  return openTree({ kind: 'zip', path });
}

test('names are read in UTF-8, marked as such or not, and in the letters of DOS', async () => {
  const tree = await open([
    { name: 'Zoë/marked.jpg', bytes: image },
    { name: Buffer.from('Zoë/unmarked.jpg'), bytes: image },
    { name: Buffer.from('Zoe\u0308/apart.jpg'), bytes: image },
    { name: Buffer.from('Zo\x89/dos.jpg', 'latin1'), bytes: image },
  ]);
  expect(tree.guessedNames).toMatchObject({ path: 'Zoë/dos.jpg' });
  expect(tree.paths).toEqual(['Zoë/apart.jpg', 'Zoë/dos.jpg', 'Zoë/marked.jpg', 'Zoë/unmarked.jpg']);
  // Annotations may write the same letters in two code points.
  expect(indexFiles(tree.paths)('Zoe\u0308/dos.jpg')?.path).toBe('Zoë/dos.jpg');
  tree.close();
});

test('names in an encoding that the zip does not state are read as the format says, with one finding', async () => {
  // "кот" and "пёс" in CP866, as Windows in Russian writes them.
  const tree = await open([
    { name: Buffer.from('\xaa\xae\xe2/1.jpg', 'latin1'), bytes: image },
    { name: Buffer.from('\xaf\xf1\xe1/1.jpg', 'latin1'), bytes: image },
    { name: 'cat/1.jpg', bytes: image },
  ]);
  expect(tree.paths).toEqual(['cat/1.jpg', '¬«Γ/1.jpg', '»±ß/1.jpg']);
  expect(tree.guessedNames).toEqual({
    path: '¬«Γ/1.jpg',
    message: expect.stringMatching(/CP437: .*names in UTF-8 \(7-Zip: cu=on\); so are the names of 1 more$/),
  });
  tree.close();
});

test('names that the zip states, and plain ones, are no guess', async () => {
  const tree = await open([
    { name: Buffer.from('\xaa\xae\xe2/1.jpg', 'latin1'), bytes: image, unicodePath: 'кот/1.jpg' },
    { name: Buffer.from('пёс/1.jpg'), bytes: image },
    { name: Buffer.from('cat/1.jpg'), bytes: image },
  ]);
  expect(tree.paths).toEqual(['cat/1.jpg', 'кот/1.jpg', 'пёс/1.jpg']);
  expect(tree.guessedNames).toBeNull();
  tree.close();
});

test('an image with a changed byte is damaged, and not imported as it is', async () => {
  const zip = makeZip([{ name: 'cat/1.jpg', bytes: image, isStored: true }]);
  zip.write('A', zip.indexOf('as good'));
  const tree = await open(zip);
  await expect(buffer(tree.read('cat/1.jpg'))).rejects.toThrow(
    'damaged in the zip: it has other bytes than the zip says',
  );
  tree.close();
});

test('what is encrypted, a link, or there twice is refused by its name, and the rest is read', async () => {
  const tree = await open([
    { name: 'cat/locked.jpg', bytes: image, flags: 0x801 },
    { name: 'cat/link.jpg', bytes: Buffer.from('/etc/passwd'), mode: 0o120777 },
    { name: 'cat/1.jpg', bytes: image },
    { name: './cat//1.jpg', bytes: image },
  ]);
  expect(tree.refused).toEqual([
    { path: 'cat/locked.jpg', message: expect.stringContaining('encrypted') },
    { path: 'cat/link.jpg', message: 'it is a link' },
    { path: 'cat/1.jpg', message: 'another entry has its name' },
  ]);
  expect(await buffer(tree.read('cat/1.jpg'))).toEqual(image);
  tree.close();
});
