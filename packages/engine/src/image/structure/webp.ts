import { bounds, refuseAbove } from './bounds.js';

/** Flags of the header VP8X. */
const hasProfile = 0x20;
const hasExif = 0x08;
const hasXmp = 0x04;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** With its header and padding. */
  readonly all: Buffer;
}

/**
 * The image of a WebP (RFC 9649), of an animation the first frame, with profile and Exif within their bounds. The decoder
 * would read the headers of all frames.
 */
export function neededOfWebp(bytes: Buffer): Buffer {
  const chunks: Chunk[] = [];
  let count = 0;
  for (const chunk of chunksOf(bytes)) {
    count += 1;
    const isFirst = !chunks.some(({ type }) => type === chunk.type);
    if (isFirst && isNeeded(chunk)) chunks.push(chunk);
    if (chunk.type === 'ANMF') checkFrame(chunk.data);
    // The frames that follow are of an animation; metadata behind them is not looked for.
    if (chunk.type === 'ANMF' && chunks.some(({ type }) => type === 'ANIM')) break;
    if (count > bounds.webpChunks) throw refuseAbove('WebP', 'chunks', bounds.webpChunks);
  }
  const [head] = chunks;
  if (head?.type !== 'VP8X') return bytes;
  const has = (type: string, flag: number) => (chunks.some((chunk) => chunk.type === type) ? flag : 0);
  const flags =
    ((head.data[0] ?? 0) & ~(hasProfile | hasExif | hasXmp)) | has('ICCP', hasProfile) | has('EXIF', hasExif);
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks.map(({ all }) => all)]);
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

/** Chunks that nothing reads may be in a frame, too. */
function checkFrame(frame: Buffer): void {
  let count = 0;
  for (const _ of chunksFrom(frame, 16)) {
    count += 1;
    if (count > bounds.webpChunks) throw refuseAbove('WebP', 'chunks', bounds.webpChunks);
  }
}

function chunksOf(bytes: Buffer): Generator<Chunk> {
  return chunksFrom(bytes, 12);
}

function* chunksFrom(bytes: Buffer, start: number): Generator<Chunk> {
  let at = start;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    yield {
      type: bytes.toString('latin1', at, at + 4),
      data: bytes.subarray(at + 8, at + 8 + length),
      all: bytes.subarray(at, end),
    };
    at = end;
  }
}
