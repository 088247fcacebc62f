import zlib from 'node:zlib';
import {
  type Entry,
  fromBufferPromise,
  getFileNameLowLevel,
  openPromise,
  validateFileName,
  type ZipFile,
} from 'yauzl';

/** A damaged zip, or a file in one whose bytes differ from what the zip states. The message is for the user who made it. */
export class ZipError extends Error {
  override readonly name = 'ZipError';
}

/** A file in a zip; folders are not listed. */
export interface ZippedFile {
  /** Segments separated by `/`, none of them empty, `.` or `..`, in Unicode NFC; unchanged where the file is refused. */
  readonly path: string;
  /** Whether nothing says in which encoding its name is: it was read in CP437, as the format says, and many programs write another. */
  readonly hasGuessedName: boolean;
  /** Why it cannot be read; null when it can. */
  readonly refusal: string | null;
  /** As the zip states; never more than that is read. */
  readonly sizeBytes: number;
  /** Its bytes. Throws `ZipError` as soon as they differ from the size or the CRC-32 in the zip. */
  read(): AsyncIterable<Uint8Array>;
}

export type OpenZip = Awaited<ReturnType<typeof openZip>>;

/**
 * Opens a zip, a file or bytes in memory. Nothing is unpacked to a disk and no name becomes a path. Throws `ZipError`.
 * @param maxEntries including folders
 */
export async function openZip(source: string | Uint8Array, { maxEntries }: { readonly maxEntries: number }) {
  // Names and sizes are checked entry by entry, so that one that is wrong is refused by itself.
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false } as const;
  const opened =
    typeof source === 'string'
      ? openPromise(source, options)
      : fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.byteLength), options);
  const zip = await opened.catch(refuse);
  // Errors reject the pending read of an entry or its bytes; an error without a pending read must not end the process.
  zip.on('error', () => undefined);
  if (zip.entryCount > maxEntries) {
    zip.close();
    refuse(new Error(`it has more than ${maxEntries} entries`));
  }
  return {
    /** In the order of the zip. Throws `ZipError` when the zip is damaged, or has entries that share bytes. */
    files: (): AsyncGenerator<ZippedFile, void, undefined> => listFiles(zip),
    close: () => zip.close(),
  };
}

async function* listFiles(zip: ZipFile): AsyncGenerator<ZippedFile, void, undefined> {
  const entries = zip.eachEntry();
  let packedBytes = 0;
  for (;;) {
    const { value: entry, done } = await entries.next().catch(refuse);
    if (done) return;
    packedBytes += entry.compressedSize;
    // A zip bomb lets many entries share the same bytes.
    if (packedBytes > zip.fileSize) refuse(new Error('its entries overlap, or it is cut'));
    const file = toFile(zip, entry);
    if (file !== null) yield file;
  }
}

/** Null for a folder. */
function toFile(zip: ZipFile, entry: Entry): ZippedFile | null {
  const { name, isGuessed } = nameOf(entry);
  const refused = validateFileName(name) === null ? null : 'its name leads out of the zip';
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (refused === null && (name.endsWith('/') || segments.length === 0)) return null;
  return {
    path: refused === null ? segments.join('/') : name,
    hasGuessedName: isGuessed,
    refusal: refused ?? refusalOf(zip, entry),
    sizeBytes: entry.uncompressedSize,
    read: () => readEntry(zip, entry),
  };
}

function refusalOf(zip: ZipFile, entry: Entry): string | null {
  // Unix keeps the type of a file in the upper half.
  if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000) return 'it is a link';
  if (entry.isEncrypted()) return 'it is encrypted: make a zip without a password';
  if (!entry.canDecodeFileData()) {
    return `it is packed by method ${entry.compressionMethod}: pack it by deflate, as usual`;
  }
  if (entry.relativeOffsetOfLocalHeader + entry.compressedSize > zip.fileSize) {
    return 'it is not within the zip';
  }
  return null;
}

async function* readEntry(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array, void, undefined> {
  let [bytes, checksum] = [0, 0];
  try {
    for await (const piece of await zip.openReadStreamPromise(entry)) {
      bytes += piece.byteLength;
      if (bytes > entry.uncompressedSize) break;
      checksum = zlib.crc32(piece, checksum);
      yield piece;
    }
  } catch (error) {
    throw new ZipError(`damaged in the zip: ${wordsOf(error)}`, { cause: error });
  }
  if (bytes !== entry.uncompressedSize || checksum !== entry.crc32) {
    throw new ZipError('damaged in the zip: it has other bytes than the zip says');
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** APPNOTE.TXT 4.4.4, bit 11: the name is UTF-8. */
const utf8Flag = 0x800;

/**
 * In UTF-8 by the Unicode Path field of Info-ZIP, by the flag, or where it is valid UTF-8, as macOS sets no flag; else in CP437. Windows and
 * old programs write the code page of their country there without a word.
 */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry) {
  const decode = (flags: number) => getFileNameLowLevel(flags, fileNameRaw, extraFields, false);
  const inUtf8 = decode(generalPurposeBitFlag | utf8Flag);
  if ((generalPurposeBitFlag & utf8Flag) !== 0 || isUtf8(fileNameRaw)) {
    return { name: inUtf8.normalize('NFC'), isGuessed: false };
  }
  // A field that holds the name decides it, whatever the flag.
  const inCp437 = decode(generalPurposeBitFlag);
  return { name: inCp437.normalize('NFC'), isGuessed: inCp437 !== inUtf8 };
}

function isUtf8(bytes: Buffer): boolean {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function refuse(error: unknown): never {
  throw new ZipError(`this is no whole zip: ${wordsOf(error)}`, { cause: error });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error);
}
