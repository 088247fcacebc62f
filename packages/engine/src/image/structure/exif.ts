import { bounds } from './bounds.js';
import {
  entriesOf,
  firstDirectoryAt,
  nextDirectoryAt,
  openTiff,
  readDirectory,
  type TiffFile,
} from './tiff-directory.js';

const start = 'Exif\0\0';
const orientation = 0x0112;
/** Entries that lead to the directories of Exif, GPS and interoperability, in whatever directory they are. */
const pointers = new Set([0x8769, 0x8825, 0xa005]);

export function startsAsExif(block: Buffer): boolean {
  return block.toString('latin1', 0, start.length) === start;
}

/**
 * Exif as it is, or with its orientation alone, in as many bytes, where more entries lead to directories than any has: libexif follows
 * each of them, so that directories which lead to each other cost it many seconds.
 */
export function neededOfExif(exif: Buffer): Buffer {
  const at = startsAsExif(exif) ? start.length : 0;
  const file = openTiff(exif.subarray(at));
  if (!hasManyPointers(file)) return exif;
  const left = Buffer.alloc(exif.length);
  exif.copy(left, 0, 0, at);
  const [value = 1] =
    readDirectory(file, firstDirectoryAt(file) ?? -1, maxEntries)?.entries.get(orientation)?.numbers ?? [];
  oneEntry(value).copy(left, at);
  return left;
}

/** Of 65,536 bytes. */
const maxEntries = 5461;

function hasManyPointers(file: TiffFile): boolean {
  const first = firstDirectoryAt(file);
  const directory = first === undefined ? undefined : readDirectory(file, first, 0);
  if (first === undefined || directory === undefined) return false;
  const directories = [first, nextDirectoryAt(file, directory)];
  for (const at of directories) {
    for (const { tag, numbers } of at === undefined ? [] : entriesOf(file, at, maxEntries)) {
      if (!pointers.has(tag)) continue;
      directories.push(numbers[0]);
      if (directories.length > bounds.exifDirectories) return true;
    }
  }
  return false;
}

/** A TIFF whose only directory has an orientation. */
function oneEntry(value: number): Buffer {
  const bytes = Buffer.from(
    '49492a0008000000 0100 1201 0300 01000000 00000000 00000000'.replaceAll(' ', ''),
    'hex',
  );
  bytes.writeUInt16LE(value & 0xffff, 18);
  return bytes;
}
