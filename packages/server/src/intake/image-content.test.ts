import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { decodeBase64 } from '@lynceus/engine';
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

test('a large text is read as decodeBase64 reads it, whatever white space is at the boundaries of pieces', async () => {
  const pieceBytes = 64 * 1024;
  const path = join(dir, 'boundaries');
  const part = (...spaces: string[]) =>
    fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('A', 'bcd', '0123456', 'xyzuvw89') },
      { weight: 1, arbitrary: fc.constantFrom(...spaces) },
    );
  // Spaces are plus signs only in texts without indentation, so most texts are without.
  const parts = fc.oneof(
    fc.array(part(' ', ' ', '\n', '\r\n'), { minLength: 4, maxLength: 16 }),
    fc.array(part(' ', '  ', '\n', '\n\n'), { minLength: 4, maxLength: 16 }),
    fc.array(part(' ', '\t', '\n  ', ' \n', '+'), { minLength: 4, maxLength: 16 }),
  );
  const start = fc.constantFrom('', ' ', '\r\n', 'data:image/png;base64, ');
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(start, parts, fc.nat(), fc.boolean(), async (first, around, nth, isLater) => {
      const middle = around.join('');
      const boundary = isLater ? 2 * pieceBytes : pieceBytes;
      const filler = 'Q w'.padEnd(boundary - first.length - (nth % (middle.length + 1)), 'EfGh');
      const unpadded = `${first}${filler}${middle}`;
      // One of these lengths is that of base64.
      for (const end of ['z', 'zz', 'zzz', 'zzzz ', 'zz\n']) {
        const text = Buffer.from(unpadded + end);
        const expected = decodeBase64(text);
        if (expected === undefined) continue;
        compared += 1;
        writeFileSync(path, text);
        for (const source of [{ kind: 'bytes', bytes: text } as const, { kind: 'file', path } as const]) {
          const read = await buffer(readImageContent({ ...source, encoding: 'base64' }));
          expect(read.equals(expected)).toBe(true);
        }
      }
    }),
    { numRuns: 60 },
  );
  expect(compared).toBeGreaterThan(60);
});

test('white space that fills pieces before the first character is nothing', async () => {
  const text = Buffer.from(`${' '.repeat(70_000)}\r\nab d efghig`);
  expect(decodeBase64(text)?.toString('base64')).toBe('ab+d+efghig=');
  const read = await buffer(readImageContent({ kind: 'bytes', bytes: text, encoding: 'base64' }));
  expect(read.toString('base64')).toBe('ab+d+efghig=');
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
