import zlib from 'node:zlib';
import { type Entry, getFileNameLowLevel, type ZipFile } from 'yauzl';
import type { FileContent } from './picture-tree.js';
import { readBounded, tooLarge } from './read-bounded.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** APPNOTE.TXT 4.4.4, bit 11: the name is UTF-8. */
const utf8Flag = 0x800;

/** In NFC. A name without the mark of UTF-8 is taken for that nonetheless where it is valid: macOS sets no mark. */
export function nameOfEntry(entry: Entry): string {
  const flags = entry.generalPurposeBitFlag | (isUtf8(entry.fileNameRaw) ? utf8Flag : 0);
  return getFileNameLowLevel(flags, entry.fileNameRaw, entry.extraFields, false).normalize('NFC');
}

/** The entry's bytes, held to the size and the checksum that it claims. */
export async function readEntry(zip: ZipFile, entry: Entry, maxBytes: number): Promise<FileContent> {
  if (entry.uncompressedSize > maxBytes) return tooLarge(maxBytes);
  try {
    const content = await readBounded(await zip.openReadStreamPromise(entry), maxBytes);
    if ('bytes' in content && !isAsClaimed(content.bytes, entry)) {
      return damaged('it has other bytes than the zip says');
    }
    return content;
  } catch (error) {
    return damaged(error instanceof Error ? error.message : String(error));
  }
}

function isAsClaimed(bytes: Buffer, { uncompressedSize, crc32 }: Entry): boolean {
  if (bytes.byteLength !== uncompressedSize) return false;
  // Node has it from 20.15 on.
  return typeof zlib.crc32 !== 'function' || zlib.crc32(bytes) === crc32;
}

function damaged(reason: string): FileContent {
  return { problem: 'not-read', reason: `damaged in the zip: ${reason}` };
}

function isUtf8(bytes: Buffer): boolean {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
