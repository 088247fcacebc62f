import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJpegSplitter } from './jpeg-splitter.js';

/** An image by its markers alone, with a thumbnail in its first segment and stuffed bytes in its scans. */
function jpegOf(seed: number, scans = 1): Buffer {
  const segment = (marker: number, ...bytes: number[]) =>
    Buffer.from([0xff, marker, 0, bytes.length + 2, ...bytes]);
  const scan = (index: number) =>
    Buffer.concat([
      segment(0xc4, index),
      segment(0xda, 1, 2, 3),
      Buffer.from([seed, 0xff, 0, 0xff, 0xd0, seed, 7]),
    ]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe1, 0xff, 0xd8, 0xff, 0xd9, seed),
    ...Array.from({ length: scans }, (_, index) => scan(index)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

const between = fc.oneof(
  fc.constantFrom(
    '',
    '\r\n--frame\r\nContent-Type: image/jpeg\r\nContent-Length: 12\r\n\r\n',
    '--frame\n\n',
    'frame\r\n\r\n',
    '\0\0\0',
  ),
  fc.string({ maxLength: 40, unit: 'grapheme-ascii' }),
);

test('images come out as they are, whatever stands between them and however they arrive', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(between, fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 3 })), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.integer({ min: 1, max: 60 }),
      (parts, pieceBytes) => {
        const images = parts.map(([, seed, scans]) => jpegOf(seed, scans));
        const sent = Buffer.concat(
          parts.flatMap(([text], index) => [Buffer.from(text), images[index] ?? Buffer.alloc(0)]),
        );
        const splitter = createJpegSplitter(10_000);
        const split: Buffer[] = [];
        for (let at = 0; at < sent.length; at += pieceBytes)
          split.push(...splitter.push(sent.subarray(at, at + pieceBytes)));
        expect(split.map((image) => image.toString('hex'))).toEqual(
          images.map((image) => image.toString('hex')),
        );
      },
    ),
  );
});

test('an image that was cut ends where the next begins', () => {
  const [cut, whole] = [jpegOf(1).subarray(0, -2), jpegOf(2)];
  const split = createJpegSplitter(10_000).push(Buffer.concat([cut, whole]));
  expect(split.map((image) => image.toString('hex'))).toEqual(
    [jpegOf(1), whole].map((image) => image.toString('hex')),
  );
});

test('what is no image is left out, and held in bounded memory', () => {
  const splitter = createJpegSplitter(1000);
  const endless = Buffer.concat([jpegOf(1).subarray(0, -2), Buffer.alloc(5000, 1)]);
  expect(splitter.push(endless)).toEqual([]);
  expect(splitter.push(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]))).toEqual([]);
  expect(splitter.push(Buffer.alloc(100_000, 3))).toEqual([]);
  expect(splitter.strayBytes).toBeGreaterThan(100_000);
  expect(splitter.push(jpegOf(9))).toHaveLength(1);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const fuzzed = createJpegSplitter(100);
      fuzzed.push(Buffer.from(bytes));
      fuzzed.push(Buffer.alloc(300, 1));
      expect(fuzzed.push(Buffer.concat([Buffer.alloc(200), jpegOf(5)])).length).toBeLessThan(4);
    }),
  );
});
