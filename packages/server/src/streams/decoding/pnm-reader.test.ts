import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PnmImage, PnmReader } from './pnm-reader.js';

function writeImage(width: number, height: number, channels: 1 | 3, seed: number): Buffer {
  const pixels = Buffer.from(
    Array.from({ length: width * height * channels }, (_, at) => (at * 31 + seed) & 0xff),
  );
  return Buffer.concat([Buffer.from(`P${channels === 3 ? 6 : 5}\n${width} ${height}\n255\n`), pixels]);
}

function readAll(chunks: readonly Uint8Array[], channels: 1 | 3, maxPixels = 10_000): PnmImage[] {
  const reader = new PnmReader({
    channels,
    maxPixels,
    take: (width, height) => new Uint8Array(width * height * channels),
  });
  const found: PnmImage[] = [];
  for (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const { next, image } = reader.read(chunk, at);
      at = next;
      if (image !== null) found.push(image);
    }
  }
  return found;
}

test('images of any size are read, wherever they are cut', () => {
  const size = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(size, size), { minLength: 1, maxLength: 4 }),
      fc.constantFrom<1 | 3>(1, 3),
      fc.array(fc.nat(2000), { maxLength: 30 }),
      (sizes, channels, cuts) => {
        const bytes = Buffer.concat(
          sizes.map(([width, height], index) => writeImage(width, height, channels, index)),
        );
        const sorted = [
          0,
          ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
          bytes.length,
        ];
        const chunks = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end));
        const found = readAll(chunks, channels);
        expect(found.map(({ width, height }) => [width, height])).toEqual(sizes);
        const written = found.map(({ width, height, pixels }) =>
          Buffer.concat([Buffer.from(`P${channels === 3 ? 6 : 5}\n${width} ${height}\n255\n`), pixels]),
        );
        expect(Buffer.concat(written).equals(bytes)).toBe(true);
      },
    ),
  );
});

test.each([
  ['P6\n101 100\n255\n', /101 x 100/],
  ['P6\n0 5\n255\n', /0 x 5/],
  ['P5\n1 1\n255\nx', /channels/],
  ['P6\n1 1\n65535\n', /does not end/],
  ['hello', /does not end/],
  ['P6\n99999999 1\n255\n', /does not end/],
])('%j is refused', (text, message) => {
  const chunk = Buffer.concat([Buffer.from(text), Buffer.alloc(100, 0x20)]);
  expect(() => readAll([chunk], 3)).toThrow(message);
});
