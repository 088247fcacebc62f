import { pipeline, Readable } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';
import { createPauses } from '../../core/work-pauses.js';

export interface ZipMember {
  /** Segments separated by `/`; unique in the zip. */
  readonly path: string;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Whether its bytes are compressed already, and are stored as they are. */
  readonly isCompressed: boolean;
}

/** Marks a number that is stored in 64 bits elsewhere. */
const elsewhere = 0xffffffff;
const manyEntries = 0xffff;
/** Sizes follow the data, and names are UTF-8. */
const flags = 0x808;
/** The method of all members: Java reads no other one of sizes that follow. */
const deflated = 8;
/** On Unix, by version 4.5 of the format, which has sizes of 64 bits. */
const madeBy = 0x32d;
/** A file that its owner and group may write. */
const attributes = (0o100664 << 16) >>> 0;
/** Bytes of the central directory that are written at once. */
const pageBytes = 65_536;

/**
 * A zip (APPNOTE.TXT 4.3), piece by piece: what it takes of memory and time is in proportion to the names and bytes of its members, and
 * other work of this thread goes on meanwhile.
 */
export async function* writeZip(
  members: AsyncIterable<ZipMember>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pause = createPauses();
  const modified = dosTime(new Date());
  const directory: Buffer[] = [];
  let page: Buffer[] = [];
  let [at, entries, directoryBytes, onPage] = [0, 0, 0, 0];
  for await (const { path, content, isCompressed } of members) {
    const name = Buffer.from(path);
    const start = at;
    let [checksum, size, stored] = [0, 0, 0];
    const read = async function* () {
      for await (const piece of content) {
        checksum = crc32(piece, checksum);
        size += piece.byteLength;
        yield piece;
        await pause();
      }
    };
    const version = [2, madeBy & 0xff] as const;
    const how = [version, [2, flags], [2, deflated], [4, modified]] as const;
    const header = record('PK\x03\x04', ...how, [4, 0], [4, 0], [4, 0], [2, name.length], [2, 0]);
    yield Buffer.concat([header, name]);
    for await (const piece of isCompressed ? storedBlocks(read()) : deflate(read())) {
      stored += piece.byteLength;
      yield piece;
    }
    const isLarge = size >= elsewhere || stored >= elsewhere;
    const width = isLarge ? 8 : 4;
    const descriptor = record('PK\x07\x08', [4, checksum], [width, stored], [width, size]);
    yield descriptor;
    at += header.length + name.length + stored + descriptor.length;

    const isBehind = isLarge || start >= elsewhere;
    const extra = isBehind ? record('\x01\x00\x18\x00', [8, size], [8, stored], [8, start]) : Buffer.alloc(0);
    const own = (value: number) => [4, isBehind ? elsewhere : value] as const;
    const entry = Buffer.concat([
      record(
        'PK\x01\x02',
        ...([[2, madeBy], ...how, [4, checksum], own(stored), own(size)] as const),
        ...([
          [2, name.length],
          [2, extra.length],
          [2, 0],
          [2, 0],
          [2, 0],
          [4, attributes],
          own(start),
        ] as const),
      ),
      name,
      extra,
    ]);
    entries += 1;
    page.push(entry);
    onPage += entry.length;
    directoryBytes += entry.length;
    if (onPage < pageBytes) continue;
    // One buffer takes less memory than many small ones.
    directory.push(Buffer.concat(page));
    [page, onPage] = [[], 0];
  }
  yield* directory;
  yield* page;
  yield endOf({ at, entries, directoryBytes });
}

interface End {
  readonly at: number;
  readonly entries: number;
  readonly directoryBytes: number;
}

function endOf({ at, entries, directoryBytes }: End): Buffer {
  const isLarge = entries >= manyEntries || directoryBytes >= elsewhere || at >= elsewhere;
  const large = [
    record(
      'PK\x06\x06',
      ...([
        [8, 44],
        [2, madeBy],
        [2, madeBy & 0xff],
        [4, 0],
        [4, 0],
      ] as const),
      ...([
        [8, entries],
        [8, entries],
        [8, directoryBytes],
        [8, at],
      ] as const),
    ),
    record('PK\x06\x07', [4, 0], [8, at + directoryBytes], [4, 1]),
  ];
  const count = [2, Math.min(entries, manyEntries)] as const;
  const end = record(
    'PK\x05\x06',
    ...([[2, 0], [2, 0], count, count, [4, Math.min(directoryBytes, elsewhere)]] as const),
    ...([
      [4, Math.min(at, elsewhere)],
      [2, 0],
    ] as const),
  );
  return Buffer.concat(isLarge ? [...large, end] : [end]);
}

/** Four bytes, then numbers of so many bytes each, the lowest byte first. */
function record(signature: string, ...fields: readonly (readonly [2 | 4 | 8, number])[]): Buffer {
  const bytes = Buffer.alloc(4 + fields.reduce((sum, [width]) => sum + width, 0));
  let at = bytes.write(signature, 'latin1');
  for (const [width, value] of fields) {
    at = width === 8 ? bytes.writeBigUInt64LE(BigInt(value), at) : bytes.writeUIntLE(value, at, width);
  }
  return bytes;
}

/** In 2 seconds, by the clock of this machine (MS-DOS). */
function dosTime(time: Date): number {
  const date = ((time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate();
  const ofDay = (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1);
  return ((date << 16) | ofDay) >>> 0;
}

/** Largest block of bytes as they are (RFC 1951, 3.2.4). */
const maxBlockBytes = 65_535;

async function* storedBlocks(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const head = (length: number, isLast: boolean) =>
    Buffer.from([Number(isLast), length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff]);
  for await (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; at += maxBlockBytes) {
      const block = piece.subarray(at, at + maxBlockBytes);
      yield head(block.byteLength, false);
      yield block;
    }
  }
  yield head(0, true);
}

/** In the thread pool. */
function deflate(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  // Errors of either reach whoever reads, and nobody else.
  return pipeline(Readable.from(pieces, { objectMode: false }), createDeflateRaw(), () => undefined);
}
