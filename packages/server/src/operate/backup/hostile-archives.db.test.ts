import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTar } from '../../storage/archive/read-tar.js';
import { jsonMember, type TarMember, writeTar } from '../../storage/archive/write-tar.js';
import { dataFolder } from '../../storage/data-folder.js';
import type { ArchiveHeader } from './archive-format.js';
import { anyDisk } from './fixtures/any-disk.js';
import { backUp } from './fixtures/archiving.js';
import { type FilledFolder, openFolder } from './fixtures/filled-folder.js';
import { unpackArchive } from './unpack-archive.js';
import { verifyArchive } from './verify-archive.js';

let here: FilledFolder;
let archive: Buffer;
let members: TarMember[];
beforeAll(async () => {
  here = await openFolder();
  await here.fill('one');
  archive = readFileSync((await backUp(here)).path);
  members = [];
  for await (const { name, sizeBytes, content } of readTar(pieces(archive))) {
    const parts: Buffer[] = [];
    for await (const piece of content) parts.push(Buffer.from(piece));
    members.push({ name, sizeBytes, content: parts });
  }
});
afterAll(() => here.drop());

async function* pieces(all: Buffer, size = 7777): AsyncIterable<Uint8Array> {
  for (let at = 0; at < all.byteLength; at += size) yield all.subarray(at, at + size);
}

async function tarOf(some: readonly TarMember[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  async function* each() {
    yield* some;
  }
  for await (const piece of writeTar(each())) parts.push(piece);
  return Buffer.concat(parts);
}

const file = (name: string, content = 'x'): TarMember => ({
  name,
  sizeBytes: content.length,
  content: [Buffer.from(content)],
});
const withHeader = async (change: Partial<ArchiveHeader>, some: readonly TarMember[] = members) => {
  const { header } = await verifyArchive(pieces(archive));
  return tarOf([jsonMember('archive.json', { ...header, ...change }), ...some.slice(1)]);
};
/** The archive with other members before its manifest, and announced. */
const withFile = (...added: readonly TarMember[]) => {
  const at = members.findIndex(({ name }) => name.startsWith('manifest/'));
  const some = [...members.slice(0, at), ...added, ...members.slice(at)];
  return withHeader({ files: 1000, fileBytes: 1e9 }, some);
};
/** Another type in the header of a member, with a check sum that is right for it. */
const withType = (name: string, type: string) => {
  const changed = Buffer.from(archive);
  const at = changed.indexOf(name) - (changed.indexOf(name) % 512);
  changed.write(type, at + 156, 'latin1');
  changed.fill(' ', at + 148, at + 156);
  const sum = changed.subarray(at, at + 512).reduce((total, byte) => total + byte, 0);
  changed.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1');
  return changed;
};
const firstFace = () => String(members.find(({ name }) => name.startsWith('data/blobs/faces'))?.name);

async function expectRefused(bytes: Buffer, message: RegExp): Promise<void> {
  await expect(verifyArchive(pieces(bytes))).rejects.toMatchObject({
    code: 'damaged',
    message: expect.stringMatching(message),
  });
  const dir = mkdtempSync(join(tmpdir(), 'lynceus-hostile-'));
  const folder = dataFolder(join(dir, 'data', 'deeper'));
  await expect(
    unpackArchive(folder, pieces(bytes), { disk: anyDisk(folder), check: async () => {} }),
  ).rejects.toMatchObject({ code: 'damaged' });
  expect(existsSync(join(dir, 'evil'))).toBe(false);
  expect(existsSync(join(dir, 'data', 'evil'))).toBe(false);
  rmSync(dir, { recursive: true });
}

test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
  ['nothing', () => Buffer.alloc(0), /cut short/],
  ['no tar file', () => Buffer.alloc(5000, 'x'), /no plain tar/],
  ['compressed', () => gzipSync(archive, { level: 0 }), /compressed by gzip.*gunzip/],
  [
    'compressed, with the mark of tar in its first block',
    () =>
      Buffer.concat([gzipSync(archive).subarray(0, 10), Buffer.alloc(247), Buffer.from('ustar\0'), archive]),
    /no plain tar/,
  ],
  ['of another program', () => tarOf([file('a.txt')]), /does not begin with archive.json/],
  ['of a later version', () => withHeader({ formatVersion: 2 as 1 }), /archive.json is not/],
  ['a path out of the folder', () => withFile(file('data/../../evil')), /does not belong/],
  ['an absolute path', () => withFile(file('/evil')), /does not belong/],
  ['a path with a drive', () => withFile(file('data/C:\\evil')), /does not belong/],
  ['a path into another store', () => withFile(file('data/backups/evil')), /does not belong/],
  ['the restore marker', () => withFile(file('data/restore-in-progress.json')), /does not belong/],
  ['a secret that it does not announce', () => withFile(file('data/secret-key')), /does not belong/],
  ['a symbolic link', () => withType(firstFace(), '2'), /no ordinary file/],
  ['a hard link', () => withType(firstFace(), '1'), /no ordinary file/],
  ['a sparse file', () => withType(firstFace(), 'S'), /no ordinary file/],
  ['an extended header', () => withType(firstFace(), 'x'), /no ordinary file; it was packed again/],
  ['a folder, as tar adds it', () => withType(firstFace(), '5'), /no ordinary file; it was packed again/],
  ['a device', () => withType(firstFace(), '3'), /no ordinary file/],
  [
    'a file that comes twice',
    () => withFile(...[1, 2].map(() => file('data/drops/zz/zzzzzzzzzz'))),
    /not in its place/,
  ],
  ['files out of order', () => withFile(file('data/blobs/datasets/00/00000000-a')), /not in its place/],
  ['more files than it says', () => withHeader({ files: 3 }), /more than it says/],
  ['more bytes than it says', () => withHeader({ fileBytes: 10 }), /more than it says/],
  ['a larger database than it says', () => withHeader({ databaseBytes: 10 }), /more than it says/],
  ['two databases', () => withFile(file('database/lynceus.db')), /does not belong/],
  [
    'no database',
    () => tarOf(members.filter(({ name }) => !name.startsWith('database/'))),
    /names other files/,
  ],
  [
    'without a manifest',
    () => tarOf(members.filter(({ name }) => !name.startsWith('manifest/'))),
    /manifest is missing/,
  ],
  ['without an end', () => tarOf(members.slice(0, -1)), /end is missing/],
  ['with something after its end', () => tarOf([...members, file('data/zz')]), /follows its end/],
  ['with bytes after it', () => Buffer.concat([archive, Buffer.from('more')]), /follows its end/],
  [
    'with a record of many bytes',
    () => withFile(file('end.json', ' '.repeat(5_000_000))),
    /more than 4194304 bytes/,
  ],
])('an archive is refused: %s', async (_what, make, message) => {
  await expectRefused(await make(), message);
});

test('an archive that was cut anywhere is refused', async () => {
  for (let at = 1; at < archive.byteLength; at += 24_593) {
    await expect(verifyArchive(pieces(archive.subarray(0, at)))).rejects.toMatchObject({ code: 'damaged' });
  }
});

test('a digit of the header is not changed without notice; an archive of the first versions has no hash of it', async () => {
  const { header, end } = await verifyArchive(pieces(archive));
  const other = { createdMs: header.createdMs + 1 };
  await expectRefused(await withHeader(other), /archive.json or end.json was changed/);
  const { recordsSha256, ...without } = end;
  expect(recordsSha256).toMatch(/^[0-9a-f]{64}$/);
  const older = await withHeader(other, [...members.slice(0, -1), jsonMember('end.json', without)]);
  expect((await verifyArchive(pieces(older))).header.createdMs).toBe(other.createdMs);
});

test('an archive that was changed anywhere is refused, or reads the same', async () => {
  const before = await verifyArchive(pieces(archive));
  const blocks = archive.byteLength / 512;
  // Most of the changes in headers and records, which are few.
  const anywhere = fc.oneof(
    fc.nat(archive.byteLength - 1),
    fc.tuple(fc.integer({ min: blocks - 90, max: blocks - 1 }), fc.nat(511)).map(([at, by]) => at * 512 + by),
    fc.nat(4096),
  );
  await fc.assert(
    fc.asyncProperty(
      anywhere,
      fc.integer({ min: 1, max: 255 }),
      fc.integer({ min: 500, max: 9000 }),
      async (at, by, size) => {
        const changed = Buffer.from(archive);
        changed.writeUInt8(changed.readUInt8(at) ^ by, at);
        const outcome = await verifyArchive(pieces(changed, size)).catch(
          (error: { code?: unknown }) => error.code,
        );
        // Of a header, owner and time mean nothing.
        if (typeof outcome === 'object') expect(outcome).toEqual(before);
        else expect(outcome).toBe('damaged');
      },
    ),
    { numRuns: 60 },
  );
});

test('noise is refused without an end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3000 }), async (noise) => {
      const bytes = Buffer.concat([archive.subarray(0, 1024), noise]);
      await expect(verifyArchive(pieces(bytes, 100))).rejects.toMatchObject({ code: 'damaged' });
    }),
    { numRuns: 100 },
  );
});

test('a member of more than 8 GiB keeps its size in the header', async () => {
  const sizeBytes = 9 * 1024 ** 3;
  const large = writeTar(
    (async function* () {
      yield { name: 'database/lynceus.db', sizeBytes, content: [] };
    })(),
  );
  const [block] = [(await large[Symbol.asyncIterator]().next()).value as Uint8Array];
  for await (const member of readTar(pieces(Buffer.from(block)))) {
    expect([member.name, member.sizeBytes]).toEqual(['database/lynceus.db', sizeBytes]);
    break;
  }
});

test('an archive is a plain tar file that other programs list', async () => {
  const { execFileSync } = await import('node:child_process');
  const { path } = await backUp(here, 'listed.tar');
  const names = execFileSync('tar', ['-tf', path], { encoding: 'utf8' }).trim().split('\n');
  expect(names).toEqual(members.map(({ name }) => name));
  await verifyArchive(createReadStream(path));
});
