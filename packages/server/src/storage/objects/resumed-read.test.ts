import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readResumed } from './resumed-read.js';

/** The bytes from an offset on, in pieces, of which the connection breaks after so many; it may end without an error too. */
async function* connection(
  bytes: Uint8Array,
  from: number,
  { piece, lostAfter, isSilent }: { piece: number; lostAfter: number; isSilent: boolean },
): AsyncIterable<Uint8Array> {
  let sent = 0;
  for (let at = from; at < bytes.length; at += piece) {
    if (sent >= lostAfter) {
      if (isSilent) return;
      throw new Error('connection lost');
    }
    sent += 1;
    yield bytes.subarray(at, at + piece);
  }
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

test('wherever connections break, every byte comes once and in order', async () => {
  const losses = fc.record({
    piece: fc.integer({ min: 1, max: 20 }),
    lostAfter: fc.integer({ min: 1, max: 5 }),
    isSilent: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), losses, async (bytes, how) => {
      const read = readResumed(connection(bytes, 0, how), bytes.length, async (at) =>
        connection(bytes, at, how),
      );
      expect((await gather(read)).equals(Buffer.from(bytes))).toBe(true);
    }),
  );
});

test('a store that sends nothing any more is given up', async () => {
  const nothing = { piece: 1, lostAfter: 0, isSilent: false };
  const bytes = Buffer.alloc(10);
  let asked = 0;
  const read = readResumed(connection(bytes, 0, nothing), 10, async (at) => {
    asked += 1;
    return connection(bytes, at, nothing);
  });
  await expect(gather(read)).rejects.toThrow('connection lost');
  expect(asked).toBe(5);
});
