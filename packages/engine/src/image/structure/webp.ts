import { bounds, refuseAbove } from './bounds.js';
import { neededOfExif } from './exif.js';

/** Flags of the header VP8X. */
const hasProfile = 0x20;
const hasExif = 0x08;
const hasXmp = 0x04;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** With its header and padding. */
  readonly all: Buffer;
  readonly end: number;
}

/**
 * The image of a WebP (RFC 9649), of an animation the first frame, with profile and Exif within their bounds. The decoder
 * would read the headers of all frames. What follows the length in the header is padding and is not read.
 */
export function neededOfWebp(bytes: Buffer): Buffer {
  const file = bytes.subarray(0, 8 + (bytes.length < 8 ? 0 : bytes.readUInt32LE(4)));
  const chunks: Chunk[] = [];
  let count = 0;
  let chunk = chunkAt(file, 12);
  while (chunk) {
    const { type, data, end } = chunk;
    count += 1;
    if (count > bounds.webpChunks) throw refuseAbove('WebP', 'chunks', bounds.webpChunks);
    const isFirst = !chunks.some((other) => other.type === type);
    if (isFirst && isNeeded(chunk)) chunks.push(chunk);
    if (type === 'ANMF') checkFrame(data);
    const isAnimation = type === 'ANMF' && chunks.some((other) => other.type === 'ANIM');
    // Exif stands behind the last frame.
    chunk = chunkAt(file, isAnimation ? afterFrames(file, end) : end);
  }
  const [head] = chunks;
  if (head?.type !== 'VP8X') return bytes;
  const has = (type: string, flag: number) => (chunks.some((other) => other.type === type) ? flag : 0);
  const flags =
    ((head.data[0] ?? 0) & ~(hasProfile | hasExif | hasXmp)) | has('ICCP', hasProfile) | has('EXIF', hasExif);
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks.map(neededOfChunk)]);
  body[12] = flags;
  const riff = Buffer.alloc(8);
  riff.write('RIFF');
  riff.writeUInt32LE(body.length, 4);
  return Buffer.concat([riff, body]);
}

function isNeeded({ type, data }: Chunk): boolean {
  if (type === 'ICCP') return data.length <= bounds.profileBytes;
  if (type === 'EXIF') return data.length <= bounds.exifBytes;
  return ['VP8X', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L'].includes(type);
}

function neededOfChunk({ type, data, all }: Chunk): Buffer {
  if (type !== 'EXIF') return all;
  const needed = neededOfExif(data);
  return needed === data ? all : Buffer.concat([all.subarray(0, 8), needed, all.subarray(8 + data.length)]);
}

/** Chunks that nothing reads may be in a frame, too. */
function checkFrame(frame: Buffer): void {
  let count = 0;
  for (let chunk = chunkAt(frame, 16); chunk; chunk = chunkAt(frame, chunk.end)) {
    count += 1;
    if (count > bounds.webpChunks) throw refuseAbove('WebP', 'chunks', bounds.webpChunks);
  }
}

const frameType = Buffer.from('ANMF').readUInt32LE();

/** Where the frames of an animation end that follow each other from `start`; there may be millions. */
function afterFrames(bytes: Buffer, start: number): number {
  let at = start;
  while (at + 8 <= bytes.length && bytes.readUInt32LE(at) === frameType) at = chunkEnd(bytes, at);
  return at;
}

function chunkAt(bytes: Buffer, at: number): Chunk | undefined {
  if (at + 8 > bytes.length) return undefined;
  const end = chunkEnd(bytes, at);
  return {
    type: bytes.toString('latin1', at, at + 4),
    data: bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at + 4)),
    all: bytes.subarray(at, end),
    end,
  };
}

function chunkEnd(bytes: Buffer, at: number): number {
  const length = bytes.readUInt32LE(at + 4);
  return at + 8 + length + (length % 2);
}
