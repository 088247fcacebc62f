import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodingFault, decompress } from './content-encoding.js';
import { createInflateAny } from './inflate-any.js';

const formats = [
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['deflate', gzipSync],
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const;

/** The same bytes in chunks of these sizes, again and again. */
function chunksOf(bytes: Uint8Array, sizes: readonly number[]): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0, nth = 0; at < bytes.length; nth += 1) {
        const size = sizes[nth % sizes.length] ?? 1;
        yield Buffer.from(bytes.subarray(at, at + size));
        at += size;
      }
    })(),
    { objectMode: false },
  );
}

describe.each(formats)('%s', (name, encode) => {
  test('is read in chunks of any size, and an error when it is cut short', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }),
        fc.nat(),
        async (bytes, sizes, cut) => {
          const encoded = encode(bytes);
          const read = (part: Uint8Array) =>
            buffer(decompress(chunksOf(part, sizes), [name]) ?? Readable.from([]));
          expect((await read(encoded)).equals(bytes)).toBe(true);
          const error: unknown = await read(encoded.subarray(0, cut % encoded.length)).catch(
            (reason: unknown) => reason,
          );
          expect(decodingFault(error)).toBe('cut');
        },
      ),
      { numRuns: 40 },
    );
  });

  test('is an error at every length but the whole', async () => {
    const encoded = encode(Buffer.alloc(200, 'abc'));
    for (let length = 0; length < encoded.length; length += 1) {
      const body = decompress(chunksOf(encoded.subarray(0, length), [1]), [name]) ?? Readable.from([]);
      const error: unknown = await buffer(body).catch((reason: unknown) => reason);
      expect([length, decodingFault(error)]).toEqual([length, 'cut']);
    }
  });

  test('may end anywhere when it is live', async () => {
    const bytes = Buffer.alloc(1000, 'abc');
    const encoded = encode(bytes).subarray(0, -1);
    const live = decompress(chunksOf(encoded, [16]), [name], { isLive: true });
    expect((await buffer(live ?? Readable.from([]))).length).toBeGreaterThan(0);
  });
});

test('deflate of much is held back until it is read', async () => {
  const size = 16 * 1024 * 1024;
  const decoder = createInflateAny({ finishFlush: constants.Z_FINISH });
  decoder.end(deflateRawSync(Buffer.alloc(size)));
  await new Promise((resolve) => decoder.once('readable', resolve));
  expect(decoder.readableLength).toBeLessThan(1024 * 1024);
  let read = 0;
  await pipeline(decoder, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) read += chunk.length;
  });
  expect(read).toBe(size);
});
