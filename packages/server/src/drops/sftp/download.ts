import type { Readable } from 'node:stream';
import type { DropEntry, DropFolders, DropPath } from '../drop-folders.js';
import { statusCodes } from './protocol.js';
import { Refusal } from './status-of-error.js';

/** A file that is open for reading. Reading one piece after the other reads it once; others open it again where they begin. */
export interface Download {
  readonly kind: 'download';
  readonly entry: DropEntry;
  /** As many bytes as there are, so many at most; null at the end. */
  read(offsetBytes: number, lengthBytes: number): Promise<Buffer | null>;
  close(): void;
}

interface OpenStream {
  readonly stream: Readable;
  readonly pieces: AsyncIterator<Uint8Array>;
  /** Where `rest` begins in the file. */
  at: number;
  rest: Buffer;
}

export function openDownload(folders: DropFolders, path: DropPath, entry: DropEntry): Download {
  let open: OpenStream | null = null;
  const close = (): void => {
    open?.stream.destroy();
    open = null;
  };
  const openAt = async (offsetBytes: number): Promise<OpenStream> => {
    close();
    const { sizeBytes, stream } = await folders.read(path, offsetBytes);
    // Nothing else handles its errors until it is read.
    stream.on('error', () => undefined);
    const iterator: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
    open = { stream, pieces: iterator, at: offsetBytes, rest: Buffer.alloc(0) };
    if (sizeBytes === entry.sizeBytes) return open;
    close();
    throw new Refusal(statusCodes.failure, 'The file is another one by now: open it again.');
  };
  const readAt = async (offsetBytes: number, lengthBytes: number): Promise<Buffer> => {
    const from: OpenStream = open?.at === offsetBytes ? open : await openAt(offsetBytes);
    const pieces = [from.rest];
    let bytes = from.rest.length;
    while (bytes < lengthBytes) {
      const { done, value } = await from.pieces.next();
      if (done) break;
      pieces.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
      bytes += value.byteLength;
    }
    const whole = Buffer.concat(pieces);
    const read = whole.subarray(0, lengthBytes);
    from.rest = whole.subarray(lengthBytes);
    from.at += read.length;
    if (read.length > 0) return read;
    throw new Refusal(statusCodes.failure, 'The file ends early: open it again.');
  };
  return {
    kind: 'download',
    entry,
    close,
    async read(offsetBytes, lengthBytes) {
      if (offsetBytes >= entry.sizeBytes) return null;
      try {
        return await readAt(offsetBytes, lengthBytes);
      } catch (error) {
        // A stream that failed would say that it has ended.
        close();
        throw error;
      }
    },
  };
}
