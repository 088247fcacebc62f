import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { expect, test } from 'vitest';
import { readTar } from './read-tar.js';
import { textMember, writeTar } from './write-tar.js';

const tarOf = (...names: string[]) =>
  buffer(
    writeTar(
      (async function* () {
        for (const name of names) yield textMember(name, `text of ${name}`);
      })(),
    ),
  );

/** Names of the members, in pieces of this size. */
async function namesIn(bytes: Uint8Array, pieceBytes = 100): Promise<readonly string[]> {
  async function* inPieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const names: string[] = [];
  for await (const { name, content } of readTar(inPieces())) {
    names.push(name);
    expect(String(await buffer(content))).toBe(`text of ${name}`);
  }
  return names;
}

test.each([1, 100, 512, 100_000])('members are read in pieces of %i bytes', async (pieceBytes) => {
  expect(await namesIn(await tarOf('BZh.json', 'b.json'), pieceBytes)).toEqual(['BZh.json', 'b.json']);
});

test.each([
  ['gzip', async () => gzipSync(await tarOf('a.json')), /compressed by gzip.*unpack it first \(gunzip\)/],
  ['zstd', async () => Buffer.from('28b52ffd2400', 'hex'), /compressed by zstd.*\(unzstd\)/],
  ['zip', async () => Buffer.from('PK\x03\x04 and more'), /a zip file.*unpack it first$/],
])('a file that is packed by %s is named as such', async (_kind, make, message) => {
  await expect(make().then((bytes) => namesIn(bytes, 3))).rejects.toThrow(message);
});

test.each(['./perception.json', '._perception.json', 'images/._1.json'])(
  '%s was packed again',
  async (name) => {
    await expect(tarOf(name).then((bytes) => namesIn(bytes))).rejects.toThrow(
      /packed again by another program: use the file as it was written/,
    );
  },
);

test('a folder, or a header of pax, says that the file was packed again', async () => {
  for (const type of ['Directory', 'ExtendedHeader'] as const) {
    const block = Buffer.alloc(512);
    new Header({ path: './', mode: 0o700, size: 0, type }).encode(block, 0);
    await expect(namesIn(Buffer.concat([block, Buffer.alloc(1024)]))).rejects.toThrow(/packed again/);
  }
});
