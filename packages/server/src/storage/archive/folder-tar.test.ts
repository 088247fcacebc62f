import { createHash } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Header } from 'tar';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tarOfFolder, unpackFolder } from './folder-tar.js';
import { textMember, writeTar } from './write-tar.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-tar-'));
});
afterEach(() => rm(dir, { recursive: true }));

const limits = { maxFiles: 5, isDurable: true };
async function fill(name: string, order: readonly string[]): Promise<string> {
  const folder = join(dir, name);
  await mkdir(join(folder, 'source'), { recursive: true });
  for (const file of order) await writeFile(join(folder, file), `${file} `.repeat(300));
  return folder;
}
async function pack(folder: string): Promise<Buffer> {
  const tar = await tarOfFolder(folder);
  if (tar === null) throw new Error('there is no folder');
  const bytes = await buffer(tar.content);
  expect(bytes.length).toBe(tar.sizeBytes);
  return bytes;
}
async function* inPieces(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 700) yield bytes.subarray(at, at + 700);
}
const unpack = (bytes: Uint8Array) => unpackFolder(inPieces(bytes), join(dir, 'out'), limits);
const tarOf = (...names: string[]) =>
  buffer(
    writeTar(
      (async function* () {
        for (const name of names) yield textMember(name, 'x');
      })(),
    ),
  );

test('a folder is unpacked as it was, and the same files make the same bytes', async () => {
  const [one, other] = [
    await pack(await fill('one', ['model.onnx', 'source/0', 'source/1'])),
    await pack(await fill('other', ['source/1', 'source/0', 'model.onnx'])),
  ];
  expect(createHash('sha256').update(other).digest('hex')).toBe(
    createHash('sha256').update(one).digest('hex'),
  );
  await unpack(one);
  expect(await pack(join(dir, 'out'))).toEqual(one);
  expect(await readFile(join(dir, 'out', 'source', '1'), 'utf8')).toBe('source/1 '.repeat(300));
  expect((await lstat(join(dir, 'out', 'model.onnx'))).mode & 0o777).toBe(0o600);
});

test('what is no file of the folder is not packed, and a folder that is not there is none', async () => {
  const folder = await fill('one', ['model.onnx']);
  await symlink('/etc/passwd', join(folder, 'link'));
  await unpack(await pack(folder));
  expect(await readdir(join(dir, 'out'))).toEqual(['model.onnx']);
  expect(await tarOfFolder(join(dir, 'not-there'))).toBeNull();
});

test.each([
  ['../escaped', ['../escaped']],
  ['an absolute path', ['/tmp/escaped']],
  ['a hidden file', ['.profile']],
  ['too many folders', ['a/b/c/d/e']],
  ['a part that goes up', ['a/../../b']],
  ['a name of another', ['model.onnx', 'model.onnx']],
  ['a folder in the place of a file', ['source', 'source/0']],
  ['a file in the place of a folder', ['source/0', 'source']],
  ['too many files', ['a', 'b', 'c', 'd', 'e', 'f']],
])('%s is refused', async (_name, names) => {
  await expect(unpack(await tarOf(...names))).rejects.toMatchObject({ name: 'TarError' });
  expect(await readdir(dir)).toEqual(['out']);
});

test.each(['SymbolicLink', 'Link', 'CharacterDevice', 'Directory'] as const)(
  'a member that is a %s is refused',
  async (type) => {
    const block = Buffer.alloc(512);
    new Header({ path: 'model.onnx', mode: 0o600, size: 0, type, linkpath: '/etc/passwd' }).encode(block, 0);
    await expect(unpack(Buffer.concat([block, Buffer.alloc(1024)]))).rejects.toThrow(/no ordinary file/);
    expect(await readdir(join(dir, 'out'))).toEqual([]);
  },
);

test('a tar file that was cut short is refused', async () => {
  const whole = await pack(await fill('one', ['model.onnx', 'source/0']));
  for (const length of [100, 700, whole.length - 1000, whole.length - 100]) {
    await rm(join(dir, 'out'), { recursive: true, force: true });
    await expect(unpack(whole.subarray(0, length))).rejects.toMatchObject({ name: 'TarError' });
  }
});
