import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readImageContent } from './image-content.js';

const dir = mkdtempSync(join(tmpdir(), 'lynceus-content-'));
afterAll(() => rmSync(dir, { recursive: true }));

test('an image comes out as its own bytes, whatever it is held as', async () => {
  const path = join(dir, 'held');
  const image = fc
    .tuple(fc.uint8Array({ minLength: 1, maxLength: 50 }), fc.constantFrom(1, 3000))
    .map(([bytes, times]) => Buffer.concat(Array.from({ length: times }, () => bytes)));
  const prefix = fc.constantFrom('', 'data:image/jpeg;base64,', ' \r\nDATA:;base64,');
  const lineLength = fc.constantFrom(0, 19, 64, 76);
  await fc.assert(
    fc.asyncProperty(image, prefix, lineLength, fc.boolean(), async (bytes, start, lines, urlSafe) => {
      const plain = bytes.toString(urlSafe ? 'base64url' : 'base64');
      const broken = lines === 0 ? plain : plain.replace(new RegExp(`.{${lines}}`, 'g'), '$&\r\n');
      const text = Buffer.from(start + broken);
      for (const [held, encoding] of [
        [bytes, 'binary'],
        [text, 'base64'],
      ] as const) {
        writeFileSync(path, held);
        const fromMemory = await buffer(readImageContent({ kind: 'bytes', bytes: held, encoding }));
        const fromFile = await buffer(readImageContent({ kind: 'file', path, encoding }));
        expect(fromMemory.equals(bytes)).toBe(true);
        expect(fromFile.equals(bytes)).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});

test('spaces in the place of plus signs are read in a large text', async () => {
  const path = join(dir, 'pluses');
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, nth) => (nth * nth * 31 + nth * 7) & 0xff));
  const text = Buffer.from(`data:image/jpeg;base64, ${bytes.toString('base64').replaceAll('+', ' ')} `);
  writeFileSync(path, text);
  for (const source of [{ kind: 'bytes', bytes: text } as const, { kind: 'file', path } as const]) {
    const read = await buffer(readImageContent({ ...source, encoding: 'base64' }));
    expect(read.equals(bytes)).toBe(true);
  }
});

test('a file that cannot be opened fails whoever reads it, and nobody else', async () => {
  const path = join(dir, 'missing');
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  try {
    for (const encoding of ['binary', 'base64'] as const) {
      const content = readImageContent({ kind: 'file', path, encoding });
      // Whoever stores it opens a file of its own first.
      for (let round = 0; round < 5; round += 1) await readdir(dir);
      await expect(buffer(content)).rejects.toMatchObject({ code: 'ENOENT' });
    }
  } finally {
    process.off('uncaughtException', note);
  }
  expect(uncaught).toEqual([]);
});
