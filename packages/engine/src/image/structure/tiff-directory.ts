/** Reads directories (IFDs) of TIFF 6.0 and BigTIFF; anything that leads outside the file is absent. */
export interface TiffFile {
  readonly bytes: Buffer;
  readonly isLittle: boolean;
  readonly isBig: boolean;
}

export interface TiffDirectory {
  /** Declared number of entries; the map has those within the file, at most `maxEntries`. */
  readonly entryCount: number;
  readonly entries: ReadonlyMap<number, TiffEntry>;
  /** Bytes of the values of those entries; several may share some. */
  readonly valueBytes: number;
  /** Where the offset of the next directory is stored; undefined when that is outside the file. */
  readonly nextAt: number | undefined;
}

interface TiffEntry {
  readonly count: number;
  /** Bytes of its values. */
  readonly bytes: number;
  /** Its first numbers, at most 64; empty for texts and fractions. */
  readonly numbers: readonly number[];
}

const maxNumbers = 64;
/** Bytes of BYTE, ASCII, SHORT, LONG, RATIONAL, the signed ones, FLOAT, DOUBLE, IFD and the types of BigTIFF. */
const typeBytes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];

export function openTiff(bytes: Buffer): TiffFile {
  const isLittle = bytes[0] === 0x49;
  return { bytes, isLittle, isBig: bytes[isLittle ? 2 : 3] === 43 };
}

/** Offset of the first directory. */
export function firstDirectoryAt(file: TiffFile): number | undefined {
  return file.isBig ? readNumber(file, 8, 8) : readNumber(file, 4, 4);
}

export function nextDirectoryAt(file: TiffFile, { nextAt }: TiffDirectory): number | undefined {
  return nextAt === undefined ? undefined : readNumber(file, nextAt, file.isBig ? 8 : 4) || undefined;
}

export function readDirectory(file: TiffFile, at: number, maxEntries: number): TiffDirectory | undefined {
  const { isBig, bytes } = file;
  const entryCount = readNumber(file, at, isBig ? 8 : 2);
  if (entryCount === undefined) return undefined;
  const { headBytes, entryBytes } = layout(file);
  const entries = new Map<number, TiffEntry>();
  let valueBytes = 0;
  for (const { tag, ...entry } of entriesOf(file, at, maxEntries)) {
    if (!entries.has(tag)) entries.set(tag, entry);
    valueBytes += entry.bytes;
  }
  const nextAt = at + headBytes + entryCount * entryBytes;
  const isNextInside = nextAt + (isBig ? 8 : 4) <= bytes.length;
  return { entryCount, entries, valueBytes, nextAt: isNextInside ? nextAt : undefined };
}

/** The entries of a directory that are within the file, in their order; a tag may come more than once. */
export function* entriesOf(
  file: TiffFile,
  at: number,
  maxEntries: number,
): Generator<TiffEntry & { readonly tag: number }> {
  const { headBytes, entryBytes } = layout(file);
  const count = Math.min(maxEntries, readNumber(file, at, headBytes) ?? 0);
  for (let nth = 0; nth < count; nth += 1) {
    const entryAt = at + headBytes + nth * entryBytes;
    const tag = readNumber(file, entryAt, 2);
    if (tag === undefined) return;
    const entry = readEntry(file, entryAt);
    if (entry) yield { tag, ...entry };
  }
}

/** Removes entries from a directory within the file, and what leads to the next directory. */
export function keepEntries(
  file: TiffFile,
  at: number,
  isKept: (tag: number, valueBytes: number) => boolean,
): void {
  const { bytes, isLittle, isBig } = file;
  const { headBytes, entryBytes } = layout(file);
  const count = readNumber(file, at, headBytes) ?? 0;
  const entryAt = (nth: number) => at + headBytes + nth * entryBytes;
  let kept = 0;
  for (let nth = 0; nth < count; nth += 1) {
    const tag = readNumber(file, entryAt(nth), 2);
    const entry = readEntry(file, entryAt(nth));
    if (tag === undefined || !entry || !isKept(tag, entry.bytes)) continue;
    bytes.copyWithin(entryAt(kept), entryAt(nth), entryAt(nth + 1));
    kept += 1;
  }
  // A damaged directory may say that it has more entries than the file.
  const end = Math.min(bytes.length, entryAt(count) + (isBig ? 8 : 4));
  bytes.fill(0, Math.min(end, entryAt(kept)), end);
  const low = isBig && !isLittle ? at + 6 : at;
  if (isLittle) bytes.writeUInt16LE(kept, low);
  else bytes.writeUInt16BE(kept, low);
}

/** Bytes of the number of entries, and of an entry. */
function layout({ isBig }: TiffFile): { headBytes: number; entryBytes: number } {
  return isBig ? { headBytes: 8, entryBytes: 20 } : { headBytes: 2, entryBytes: 12 };
}

function readEntry(file: TiffFile, at: number): TiffEntry | undefined {
  const { isBig } = file;
  const type = readNumber(file, at + 2, 2);
  const count = readNumber(file, at + 4, isBig ? 8 : 4);
  if (type === undefined || count === undefined) return undefined;
  const size = typeBytes[type] ?? 0;
  const inlineBytes = isBig ? 8 : 4;
  const inlineAt = at + (isBig ? 12 : 8);
  const valueAt = size * count <= inlineBytes ? inlineAt : readNumber(file, inlineAt, inlineBytes);
  const numbers: number[] = [];
  // Fractions and floating-point numbers are not needed.
  const isWhole = size > 0 && ![2, 5, 10, 11, 12].includes(type);
  for (let nth = 0; isWhole && valueAt !== undefined && nth < Math.min(count, maxNumbers); nth += 1) {
    const value = readNumber(file, valueAt + nth * size, size);
    if (value === undefined) break;
    numbers.push(value);
  }
  return { count, bytes: size * count, numbers };
}

function readNumber({ bytes, isLittle }: TiffFile, at: number, size: number): number | undefined {
  if (!(at >= 0 && at + size <= bytes.length)) return undefined;
  if (size === 8) return Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
  return isLittle ? bytes.readUIntLE(at, size) : bytes.readUIntBE(at, size);
}
