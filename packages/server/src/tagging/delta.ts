import { type FileHandle, open } from 'node:fs/promises';
import { type Static, Type } from 'typebox';

/**
 * A piece of a former file, in its order: `copied`, the offset in the file that replaced it, or null where the bytes are kept in
 * the journal, one such piece after the other.
 */
export const Piece = Type.Object({
  copied: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
  bytes: Type.Integer({ minimum: 1 }),
});
export type Piece = Static<typeof Piece>;

/** Of both files, what differs between their common beginning and end is compared in memory up to this size. */
const maxComparedBytes = 64 * 1024 * 1024;
const pieceBytes = 256 * 1024;
/** Shorter than this, a stretch is kept instead of searched for. */
const minFoundBytes = 64;
const needleBytes = 32;
/** Where needles are taken from, as shares of a stretch: images are one long stretch, and metadata surround it. */
const shares = [1 / 2, 1 / 4, 3 / 4, 1 / 8, 7 / 8, 3 / 8, 5 / 8, 1 / 16, 15 / 16];
const maxDepth = 40;

/**
 * How a former file is made from the one that replaced it. Metadata are rewritten and moved; the image itself is the same, so that
 * little has to be kept. Any two files have such a list, in the worst case one piece with all bytes.
 */
export async function compareFiles(formerPath: string, laterPath: string): Promise<Piece[]> {
  const former = await open(formerPath);
  try {
    const later = await open(laterPath);
    try {
      return await compare(former, later);
    } finally {
      await later.close();
    }
  } finally {
    await former.close();
  }
}

async function compare(former: FileHandle, later: FileHandle): Promise<Piece[]> {
  const { size: formerSize } = await former.stat();
  const { size: laterSize } = await later.stat();
  const shorter = Math.min(formerSize, laterSize);
  const head = await commonBytes(former, later, shorter, null);
  const tail = await commonBytes(former, later, shorter - head, { former: formerSize, later: laterSize });
  const formerBytes = formerSize - head - tail;
  const laterBytes = laterSize - head - tail;
  const pieces: Piece[] = [{ copied: 0, bytes: head }];
  if (formerBytes > maxComparedBytes || laterBytes > maxComparedBytes) {
    pieces.push({ copied: null, bytes: formerBytes });
  } else {
    const [one, other] = [
      await readRange(former, head, formerBytes),
      await readRange(later, head, laterBytes),
    ];
    pieces.push(...matchStretch(one, { bytes: other, offset: head }, 0));
  }
  pieces.push({ copied: laterSize - tail, bytes: tail });
  return pieces.filter(({ bytes }) => bytes > 0);
}

interface Later {
  readonly bytes: Buffer;
  /** Of these bytes in their file. */
  readonly offset: number;
}

function matchStretch(former: Buffer, later: Later, depth: number): Piece[] {
  if (former.length === 0) return [];
  const found =
    former.length < minFoundBytes || later.bytes.length < minFoundBytes || depth > maxDepth
      ? null
      : findCommon(former, later.bytes);
  if (!found) return [{ copied: null, bytes: former.length }];
  const { inFormer, inLater, bytes } = found;
  const behind = inLater + bytes;
  return [
    ...matchStretch(
      former.subarray(0, inFormer),
      { bytes: later.bytes.subarray(0, inLater), offset: later.offset },
      depth + 1,
    ),
    { copied: later.offset + inLater, bytes },
    ...matchStretch(
      former.subarray(inFormer + bytes),
      { bytes: later.bytes.subarray(behind), offset: later.offset + behind },
      depth + 1,
    ),
  ];
}

/** A long stretch that both have. */
function findCommon(former: Buffer, later: Buffer) {
  let best: { readonly inFormer: number; readonly inLater: number; readonly bytes: number } | null = null;
  for (const share of shares) {
    const at = Math.min(Math.floor(later.length * share), later.length - needleBytes);
    const needle = later.subarray(at, at + needleBytes);
    // Bytes that recur are found far from where they belong: the same distance from both ends is tried as well.
    const places = [
      at,
      former.length - (later.length - at),
      former.indexOf(needle),
      former.lastIndexOf(needle),
    ];
    for (const found of new Set(places)) {
      if (found < 0 || !former.subarray(found, found + needleBytes).equals(needle)) continue;
      const before = commonEnd(former.subarray(0, found), later.subarray(0, at));
      const bytes = before + commonBeginning(former.subarray(found), later.subarray(at));
      if (bytes > (best?.bytes ?? 0)) best = { inFormer: found - before, inLater: at - before, bytes };
    }
    if (best && best.bytes * 2 > former.length) return best;
  }
  return best;
}

/** In how many bytes two files agree: from their beginnings, or with `ends`, their sizes, from there backwards. */
async function commonBytes(
  former: FileHandle,
  later: FileHandle,
  maxBytes: number,
  ends: { readonly former: number; readonly later: number } | null,
): Promise<number> {
  for (let done = 0; done < maxBytes; ) {
    const length = Math.min(pieceBytes, maxBytes - done);
    const one = await readRange(former, ends ? ends.former - done - length : done, length);
    const other = await readRange(later, ends ? ends.later - done - length : done, length);
    const common = ends ? commonEnd(one, other) : commonBeginning(one, other);
    done += common;
    if (common < length) return done;
  }
  return maxBytes;
}

function commonBeginning(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  return bisect(length, (bytes) => one.subarray(0, bytes).equals(other.subarray(0, bytes)));
}

function commonEnd(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  return bisect(length, (bytes) =>
    one.subarray(one.length - bytes).equals(other.subarray(other.length - bytes)),
  );
}

/** The largest number up to `max` that still fits; `fits` compares as memcmp(3) does, far faster than a loop. */
function bisect(max: number, fits: (bytes: number) => boolean): number {
  if (fits(max)) return max;
  let [good, bad] = [0, max];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (fits(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

async function readRange(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await file.read(buffer, done, length - done, offset + done);
    if (bytesRead === 0) throw new Error('a file became shorter while it was compared');
    done += bytesRead;
  }
  return buffer;
}

/** Bytes of a file in pieces, so that no large stretch is in memory. */
export async function* readStretch(file: FileHandle, offset: number, bytes: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < bytes; ) {
    const piece = await readRange(file, offset + done, Math.min(pieceBytes, bytes - done));
    yield piece;
    done += piece.length;
  }
}
