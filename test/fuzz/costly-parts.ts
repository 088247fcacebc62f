import { crc32 } from 'node:zlib';

/** An image as the parts that its format is made of. */
export interface Parts {
  readonly parts: readonly Buffer[];
  /** Parts that cost a decoder much, or that a format has only one of. */
  readonly costly: readonly Buffer[];
  /** The file of these parts, with the lengths that depend on them. */
  join(parts: readonly Buffer[]): Buffer;
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

export function box(type: string, ...content: readonly Buffer[]): Buffer {
  const data = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + data.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data]);
}
