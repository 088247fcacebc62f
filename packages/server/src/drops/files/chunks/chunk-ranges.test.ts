import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ChunkRange, inPiecesOf, planRead, planTruncation, sizeOfChunks } from './chunk-ranges.js';

interface Chunk extends ChunkRange {
  readonly object: Buffer;
}

/** What happens to a file: bytes are added at its end, or it is cut to a share of its size. */
const change = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => ({ append: Buffer.from(bytes) })),
  fc.double({ min: 0, max: 1, noNaN: true }).map((share) => ({ keep: share })),
);

const readAll = (chunks: readonly Chunk[], offsetBytes: number): Buffer =>
  Buffer.concat(
    planRead(chunks, offsetBytes).map(({ chunk, skipBytes }) =>
      chunk.object.subarray(skipBytes, chunk.sizeBytes),
    ),
  );

test('a file of chunks has the bytes of the same file in one piece, from every offset, whatever happened to it', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), fc.nat(), (changes, at) => {
      let whole = Buffer.alloc(0);
      let chunks: readonly Chunk[] = [];
      for (const each of changes) {
        if ('append' in each) {
          const chunk = { offsetBytes: whole.length, sizeBytes: each.append.length, object: each.append };
          chunks = [...chunks, chunk];
          whole = Buffer.concat([whole, each.append]);
        } else {
          const sizeBytes = Math.floor(whole.length * each.keep);
          const { removed, shortened } = planTruncation(chunks, sizeBytes);
          chunks = chunks
            .filter((chunk) => !removed.includes(chunk))
            .map((chunk) =>
              chunk === shortened?.chunk ? { ...chunk, sizeBytes: shortened.sizeBytes } : chunk,
            );
          whole = whole.subarray(0, sizeBytes);
        }
        expect(sizeOfChunks(chunks)).toBe(whole.length);
        const offset = at % (whole.length + 2);
        expect(readAll(chunks, offset).equals(whole.subarray(offset))).toBe(true);
      }
    }),
  );
});

test('what is behind a gap does not count', () => {
  const chunks = [
    { offsetBytes: 0, sizeBytes: 4 },
    { offsetBytes: 5, sizeBytes: 3 },
  ];
  expect(sizeOfChunks(chunks)).toBe(4);
  expect(planRead(chunks, 2)).toEqual([{ chunk: chunks[0], skipBytes: 2 }]);
});

test('content is divided into pieces of one size and loses no byte', async () => {
  const content = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(content, fc.integer({ min: 1, max: 25 }), async (some, pieceBytes) => {
      const pieces: Buffer[] = [];
      for await (const piece of inPiecesOf(arriving(some), pieceBytes)) pieces.push(Buffer.from(piece));
      expect(Buffer.concat(pieces).equals(Buffer.concat(some))).toBe(true);
      expect(pieces.slice(0, -1).every(({ length }) => length === pieceBytes)).toBe(true);
      expect(pieces.at(-1)?.length ?? 1).toBeGreaterThan(0);
    }),
  );
});

async function* arriving(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* pieces;
}
