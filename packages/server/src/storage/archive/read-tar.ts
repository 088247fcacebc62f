import { Header } from 'tar';
import { compressionOf } from './compression.js';

/** Not a whole plain tar file. The message is for its sender. */
export class TarError extends Error {
  override readonly name = 'TarError';
}

export interface ReadMember {
  readonly name: string;
  readonly sizeBytes: number;
  /** To be read before the next member is requested; the rest of it is skipped. */
  readonly content: AsyncIterable<Buffer>;
}

const blockBytes = 512;
const cutShort = 'it was cut short';

/**
 * The members of a plain tar file, front to back and piece by piece: ordinary files and nothing else. A compressed archive is
 * refused and never unpacked, so nothing in it has more bytes than the archive itself. Throws `TarError`.
 */
export async function* readTar(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ReadMember, void> {
  const bytes = byteReader(pieces);
  try {
    refuseCompressed(await bytes.peek(blockBytes));
    let onCut = 'it was cut short, or is no plain tar file';
    for (;;) {
      const block = await bytes.whole(blockBytes, onCut);
      onCut = cutShort;
      if (isZero(block)) break;
      const { name, sizeBytes } = readHeader(block);
      const padding = (blockBytes - (sizeBytes % blockBytes)) % blockBytes;
      const content = bytes.some(sizeBytes);
      yield { name, sizeBytes, content };
      // The rest of it, if any.
      for await (const _rest of content);
      if (padding > 0) await bytes.whole(padding);
    }
    if (!isZero(await bytes.whole(blockBytes))) throw new TarError('it has no end');
    for await (const rest of bytes.some(Number.POSITIVE_INFINITY)) {
      if (!isZero(rest)) throw new TarError('something follows its end');
    }
  } finally {
    await bytes.close();
  }
}

/** All bytes of a member. Throws `TarError` for more than `maxBytes`. */
export async function readWhole({ name, sizeBytes, content }: ReadMember, maxBytes: number): Promise<Buffer> {
  if (sizeBytes > maxBytes) {
    throw new TarError(`its member ${JSON.stringify(name.slice(0, 200))} has more than ${maxBytes} bytes`);
  }
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Folders, extended headers of pax and long names of GNU, which programs write that pack files again. */
const ofOtherPrograms = new Set(['5', 'x', 'g', 'L', 'K']);
/** As "tar -c ." names files; and files that macOS adds. */
const nameOfOtherPrograms = /^\.\/|(^|\/)\._/;
const onRepacked = 'it was packed again by another program: use the file as it was written';

function refuseCompressed(head: Buffer): void {
  const compression = isTar(head) ? undefined : compressionOf(head.toString('latin1'));
  if (!compression) return;
  const { name, unpack } = compression;
  throw new TarError(`it is ${name}, and no plain tar file: unpack it first${unpack ? ` (${unpack})` : ''}`);
}

function isTar(block: Buffer): boolean {
  return block.toString('latin1', 257, 262) === 'ustar';
}

function readHeader(block: Buffer): { readonly name: string; readonly sizeBytes: number } {
  const header = decode(block);
  const { path: name = '', size: sizeBytes = -1 } = header;
  const shown = JSON.stringify(name.slice(0, 200));
  if (!header.cksumValid || !isTar(block)) {
    throw new TarError('it is damaged, or no plain tar file');
  }
  const type = block.toString('latin1', 156, 157);
  const problem = type === '0' ? '' : `its member ${shown} is no ordinary file`;
  if (ofOtherPrograms.has(type) || (type === '0' && nameOfOtherPrograms.test(name))) {
    throw new TarError(`${problem || `its member ${shown} does not belong there`}; ${onRepacked}`);
  }
  if (problem !== '') throw new TarError(problem);
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0)
    throw new TarError(`its member ${shown} has no size`);
  return { name, sizeBytes };
}

function decode(block: Buffer): Header {
  try {
    return new Header(block, 0);
  } catch (error) {
    throw new TarError('it is damaged', { cause: error });
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** Bytes of a stream in portions of a requested size. */
function byteReader(pieces: AsyncIterable<Uint8Array>) {
  const iterator = pieces[Symbol.asyncIterator]();
  let waiting: Buffer = Buffer.alloc(0);
  /** At least one byte, or null at the end. */
  const fill = async (): Promise<Buffer | null> => {
    while (waiting.byteLength === 0) {
      const next = await iterator.next();
      if (next.done) return null;
      waiting = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    }
    return waiting;
  };
  async function* some(count: number, onCut = cutShort): AsyncGenerator<Buffer, void> {
    for (let left = count; left > 0; ) {
      const found = await fill();
      if (found === null) {
        if (count === Number.POSITIVE_INFINITY) return;
        throw new TarError(onCut);
      }
      const piece = found.subarray(0, left);
      waiting = found.subarray(piece.byteLength);
      left -= piece.byteLength;
      yield piece;
    }
  }
  return {
    /** The next bytes, fewer at the end, which are read again after it. For small counts. */
    async peek(count: number): Promise<Buffer> {
      const parts: Buffer[] = [];
      for (let left = count; left > 0; ) {
        const found = await fill();
        if (found === null) break;
        parts.push(found);
        left -= found.byteLength;
        waiting = Buffer.alloc(0);
      }
      waiting = Buffer.concat(parts);
      return waiting.subarray(0, count);
    },
    /** Throws where the stream ends before. For small counts. */
    async whole(count: number, onCut = cutShort): Promise<Buffer> {
      const parts: Buffer[] = [];
      for await (const piece of some(count, onCut)) parts.push(piece);
      return Buffer.concat(parts);
    },
    some,
    async close() {
      await iterator.return?.();
    },
  };
}
