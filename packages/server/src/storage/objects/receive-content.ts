import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ObjectBody } from './bucket.js';
import { digestPieces } from './digests.js';

/** What is shorter stays in memory: most images are. */
const memoryBytes = 4 * 1024 * 1024;

/**
 * Gathers content of unknown length: a store wants its length and its digest before the first byte, and the same bytes again
 * where a connection is lost. The file, where there is one, is the caller's to remove.
 * @param path where a file may be made
 */
export async function receiveContent(content: AsyncIterable<Uint8Array>, path: string): Promise<ObjectBody> {
  const digests = digestPieces();
  const pieces = content[Symbol.asyncIterator]();
  const inMemory: Uint8Array[] = [];
  let sizeBytes = 0;
  const take = async (): Promise<Uint8Array | null> => {
    const { value, done } = await pieces.next();
    if (done) return null;
    digests.update(value);
    sizeBytes += value.byteLength;
    return value;
  };
  try {
    for (;;) {
      const piece = await take();
      if (piece === null) {
        return { kind: 'bytes', bytes: Buffer.concat(inMemory), sizeBytes, ...digests.digest() };
      }
      inMemory.push(piece);
      if (sizeBytes > memoryBytes) break;
    }
    const rest = async function* () {
      yield* inMemory.splice(0);
      for (let piece = await take(); piece !== null; piece = await take()) yield piece;
    };
    await pipeline(
      Readable.from(rest(), { objectMode: false }),
      createWriteStream(path, { flags: 'wx', mode: 0o600 }),
    );
    return { kind: 'file', path, sizeBytes, ...digests.digest() };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await pieces.return?.();
  }
}
