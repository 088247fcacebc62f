import { crc32 } from 'node:zlib';

export interface PngChunk {
  readonly kind: string;
  readonly body: Buffer;
}

export function readPngChunks(png: Buffer): PngChunk[] {
  const chunks: PngChunk[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      kind: png.toString('latin1', at + 4, at + 8),
      body: png.subarray(at + 8, at + 8 + length),
    });
    at += length + 12;
  }
  return chunks;
}

export function writePng(chunks: readonly PngChunk[]): Buffer {
  const parts = chunks.map(({ kind, body }) => {
    const named = Buffer.concat([Buffer.from(kind, 'latin1'), body]);
    return Buffer.concat([bigEndian(body.length), named, bigEndian(crc32(named))]);
  });
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

/** The same image with one more chunk, before its pixels. */
export function withPngChunk(png: Buffer, kind: string, body: Buffer): Buffer {
  const [header, ...others] = readPngChunks(png);
  return writePng([...(header ? [header] : []), { kind, body }, ...others]);
}

/** 32 bits each. */
export function bigEndian(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
