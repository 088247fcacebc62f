import { Header } from 'tar';
import { refuse } from './archive-format.js';

export interface ReadMember {
  readonly name: string;
  readonly sizeBytes: number;
  /** Read to its end before the next member is asked for; what is left of it is passed over. */
  readonly content: AsyncIterable<Buffer>;
}

const blockBytes = 512;

/**
 * The members of a plain tar file, front to back and piece by piece: ordinary files and nothing else. What is compressed is
 * refused and never unpacked, so nothing in it has more bytes than the archive itself.
 */
export async function* readMembers(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ReadMember, void> {
  const bytes = byteReader(pieces);
  try {
    for (;;) {
      const block = await bytes.whole(blockBytes);
      if (isZero(block)) break;
      const { name, sizeBytes } = readHeader(block);
      const padding = (blockBytes - (sizeBytes % blockBytes)) % blockBytes;
      const content = bytes.some(sizeBytes);
      yield { name, sizeBytes, content };
      // What was not read of it; nothing where all was.
      for await (const _rest of content);
      if (padding > 0) await bytes.whole(padding);
    }
    if (!isZero(await bytes.whole(blockBytes))) throw refuse('it has no end');
    for await (const rest of bytes.some(Number.POSITIVE_INFINITY)) {
      if (!isZero(rest)) throw refuse('something follows its end');
    }
  } finally {
    await bytes.close();
  }
}

function readHeader(block: Buffer): { readonly name: string; readonly sizeBytes: number } {
  const header = decode(block);
  const { path: name = '', size: sizeBytes = -1 } = header;
  const shown = JSON.stringify(name.slice(0, 200));
  if (!header.cksumValid || block.toString('latin1', 257, 262) !== 'ustar') {
    throw refuse('it is damaged, or no plain tar file as a backup writes it');
  }
  if (block.toString('latin1', 156, 157) !== '0') throw refuse(`its member ${shown} is no ordinary file`);
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw refuse(`its member ${shown} has no size`);
  return { name, sizeBytes };
}

function decode(block: Buffer): Header {
  try {
    return new Header(block, 0);
  } catch (error) {
    throw refuse('it is damaged', error);
  }
}

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** Bytes of a stream in the portions that are asked for. */
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
  async function* some(count: number): AsyncGenerator<Buffer, void> {
    for (let left = count; left > 0; ) {
      const found = await fill();
      if (found === null) {
        if (count === Number.POSITIVE_INFINITY) return;
        throw refuse('it was cut short');
      }
      const piece = found.subarray(0, left);
      waiting = found.subarray(piece.byteLength);
      left -= piece.byteLength;
      yield piece;
    }
  }
  return {
    /** Throws where the stream ends before. For small counts. */
    async whole(count: number): Promise<Buffer> {
      const parts: Buffer[] = [];
      for await (const piece of some(count)) parts.push(piece);
      return Buffer.concat(parts);
    },
    some,
    async close() {
      await iterator.return?.();
    },
  };
}
