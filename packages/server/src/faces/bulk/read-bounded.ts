import type { FileContent } from './image-tree.js';

/** All of a stream, or word of it when it has more than `maxBytes`. */
export async function readBounded(pieces: AsyncIterable<Uint8Array>, maxBytes: number): Promise<FileContent> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) return tooLarge(maxBytes);
    kept.push(piece);
  }
  return { bytes: Buffer.concat(kept, bytes) };
}

export function tooLarge(maxBytes: number): FileContent {
  return { problem: 'too-large', reason: `more than ${maxBytes} bytes (LYNCEUS_MAX_IMAGE_BYTES)` };
}
