import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeZip, type ZipEntry } from '../../storage/archive/fixtures/make-zip.js';
import { imagesInZip } from './image-tree.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-zip-'));
});
afterEach(() => rm(dir, { recursive: true }));

const image = Buffer.from('as good as an image '.repeat(20));
const maxBytes = 1000;

/** What each file of a zip says, by its path. */
async function readAll(zip: Buffer | readonly ZipEntry[]): Promise<Record<string, string>> {
  const path = join(dir, 'a.zip');
  await writeFile(path, Buffer.isBuffer(zip) ? zip : makeZip(zip));
  const contents: Record<string, string> = {};
  for await (const file of imagesInZip(path, maxBytes).list()) {
    if ('refusal' in file) {
      contents[file.path] = file.refusal;
      continue;
    }
    const content = await file.read();
    contents[file.path] =
      'bytes' in content
        ? content.bytes.equals(image)
          ? 'whole'
          : 'other'
        : `${content.problem}: ${content.reason}`;
  }
  return contents;
}

test('images are read as they are, packed and unpacked, and again', async () => {
  const entries = [
    { name: 'staff/', bytes: Buffer.alloc(0) },
    { name: 'staff/Ada/1.jpg', bytes: image },
    { name: './staff//Ada/2.jpg', bytes: image, isStored: true },
    { name: 'staff\\Ada\\3.jpg', bytes: image },
  ];
  const whole = { 'staff/Ada/1.jpg': 'whole', 'staff/Ada/2.jpg': 'whole', 'staff/Ada/3.jpg': 'whole' };
  expect(await readAll(entries)).toEqual(whole);
  const tree = imagesInZip(join(dir, 'a.zip'), maxBytes);
  for (const _time of [1, 2]) {
    const paths: string[] = [];
    for await (const { path } of tree.list()) paths.push(path);
    expect(paths).toEqual(Object.keys(whole));
  }
});

test('names are read in UTF-8, marked as such or not, and in the letters of DOS', async () => {
  const contents = await readAll([
    { name: 'Zoë/marked.jpg', bytes: image },
    { name: Buffer.from('Zoë/unmarked.jpg'), bytes: image },
    { name: Buffer.from('Zoe\u0308/apart.jpg'), bytes: image },
    { name: Buffer.from('Zo\x89/dos.jpg', 'latin1'), bytes: image },
  ]);
  const names = ['marked', 'unmarked', 'apart', 'dos'].map((name) => `Zoë/${name}.jpg`);
  expect(contents).toEqual(Object.fromEntries(names.map((name) => [name, 'whole'])));
});

test('what systems leave in zips is passed over without a word', async () => {
  const names = ['__MACOSX/Ada/._1.jpg', 'Ada/.DS_Store', 'Ada/Thumbs.db', '.git/1.jpg', 'Ada/desktop.ini'];
  expect(await readAll(names.map((name) => ({ name, bytes: image })))).toEqual({});
});

test('a hostile entry is refused by itself, and the good one beside it is read', async () => {
  const contents = await readAll([
    { name: '/etc/1.jpg', bytes: image },
    { name: '../../Ada/1.jpg', bytes: image },
    { name: 'C:/Ada/1.jpg', bytes: image },
    { name: 'Ada/link.jpg', bytes: Buffer.from('/etc/passwd'), mode: 0o120777 },
    { name: 'Ada/locked.jpg', bytes: image, flags: 0x801 },
    { name: 'Ada/lzma.jpg', bytes: image, method: 14 },
    { name: 'Ada/large.jpg', bytes: Buffer.alloc(maxBytes + 1) },
    { name: 'Ada/bomb.jpg', bytes: Buffer.alloc(5_000_000), claimedBytes: 10 },
    { name: 'Ada/short.jpg', bytes: image, claimedBytes: 10 },
    { name: 'Ada/long.jpg', bytes: image, isStored: true, claimedBytes: 500 },
    { name: 'Ada/good.jpg', bytes: image },
  ]);
  expect(contents).toEqual({
    '/etc/1.jpg': 'its name leads out of the zip',
    '../../Ada/1.jpg': 'its name leads out of the zip',
    'C:/Ada/1.jpg': 'its name leads out of the zip',
    'Ada/link.jpg': 'it is a link',
    'Ada/locked.jpg': expect.stringContaining('encrypted'),
    'Ada/lzma.jpg': expect.stringContaining('method 14'),
    'Ada/large.jpg': expect.stringContaining('too-large: more than 1000 bytes'),
    'Ada/bomb.jpg': expect.stringContaining('not-read: damaged in the zip'),
    'Ada/short.jpg': expect.stringContaining('not-read: damaged in the zip'),
    'Ada/long.jpg': expect.stringContaining('not-read: damaged in the zip'),
    'Ada/good.jpg': 'whole',
  });
});

test('a changed byte in an image is noticed', async () => {
  const zip = makeZip([{ name: 'Ada/1.jpg', bytes: image, isStored: true }]);
  zip.write('A', zip.indexOf('as good'));
  expect(await readAll(zip)).toEqual({ 'Ada/1.jpg': expect.stringContaining('other bytes') });
});

test('two entries of one name are two files', async () => {
  const path = join(dir, 'a.zip');
  const entry = { name: 'Ada/1.jpg', bytes: image };
  await writeFile(path, makeZip([entry, entry]));
  let files = 0;
  for await (const _file of imagesInZip(path, maxBytes).list()) files += 1;
  expect(files).toBe(2);
});

test('a zip that is damaged, cut, or made of one image many times is refused as a whole', async () => {
  const entry = { name: 'Ada/1.jpg', bytes: Buffer.alloc(900, 'x'), isStored: true };
  const many = Array.from({ length: 5 }, (_, index) => (index ? { ...entry, sharesDataOf: 0 } : entry));
  const whole = makeZip([entry]);
  for (const [zip, message] of [
    [makeZip(many), /no whole zip: its entries overlap/],
    [whole.subarray(0, -30), /no whole zip/],
    [Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(100)]), /no whole zip/],
    [Buffer.from('PK'), /no whole zip/],
  ] as const) {
    await expect(readAll(zip)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message),
    });
  }
});
