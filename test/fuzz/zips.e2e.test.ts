import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '#server/core/service-error.js';
import { imagesInZip } from '#server/faces/bulk/image-tree.js';
import { findWhoseFolders } from '#server/faces/bulk/whose-folders.js';
import { makeZip } from '#server/storage/archive/fixtures/make-zip.js';
import { cases, fuzzing } from './cases.js';
import { mutated } from './mutate.js';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-fuzz-zips-'));
});
afterAll(() => rm(dir, { recursive: true }));

const maxBytes = 2000;
const images = ['one', 'another', 'a third'].map((text) => Buffer.from(`${text} `.repeat(40)));

/** Reads it twice, as an import does; answers what was read whole, or fails with an error that a user may see. */
async function readAll(bytes: Buffer): Promise<readonly Buffer[]> {
  const path = join(dir, 'a.zip');
  await writeFile(path, bytes);
  const tree = imagesInZip(path, maxBytes);
  const read: Buffer[] = [];
  try {
    const folders = await findWhoseFolders(tree);
    for await (const file of tree.list()) {
      folders.whose(file.path);
      if ('refusal' in file) continue;
      const content = await file.read();
      if ('bytes' in content) read.push(content.bytes);
    }
  } catch (error) {
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'bad_request' });
  }
  return read;
}

const [first = Buffer.alloc(0), second = first, third = first] = images;
const valid = [
  makeZip([
    { name: 'staff/Ada/1.jpg', bytes: first },
    { name: 'staff/Ada/2.jpg', bytes: second, isStored: true },
    { name: Buffer.from('staff/Zo\x89/3.jpg', 'latin1'), bytes: third },
  ]),
  makeZip([{ name: 'Ada/1.jpg', bytes: first, isStored: true }]),
  makeZip([
    { name: 'Ada/1.jpg', bytes: first, isLarge: true },
    { name: 'Bob/2.jpg', bytes: second, isLarge: true },
  ]),
  makeZip([]),
];

test('the examples are read whole', async () => {
  expect(await readAll(valid[0] ?? first)).toEqual(images);
  expect(await readAll(valid[2] ?? first)).toEqual([first, second]);
});

test(
  'whatever a zip holds, it is read or refused, and nothing is read that was not packed',
  fuzzing,
  async () => {
    await fc.assert(
      fc.asyncProperty(mutated(valid), async (bytes) => {
        for (const read of await readAll(bytes)) {
          expect(read.byteLength).toBeLessThanOrEqual(maxBytes);
          if (read.byteLength > 0) expect(images).toContainEqual(read);
        }
      }),
      cases(1500),
    );
  },
);

test('bytes that are no zip are refused', fuzzing, async () => {
  const beginning = fc.constantFrom('', 'PK\x03\x04', 'PK\x05\x06', 'PK\x01\x02', 'PK\x06\x06');
  await fc.assert(
    fc.asyncProperty(beginning, fc.uint8Array({ maxLength: 400 }), async (start, rest) => {
      expect(await readAll(Buffer.concat([Buffer.from(start), rest]))).toEqual([]);
    }),
    cases(500),
  );
});
