import { type Entry, openPromise, validateFileName, type ZipFile } from 'yauzl';
import { quote } from '../../errors/quote.js';
import { ServiceError } from '../../errors/service-error.js';
import { isPassedOver, type ListedFile, maxFiles, type PictureTree } from './picture-tree.js';
import { nameOfEntry, readEntry } from './zip-entry.js';

/**
 * The files in a zip. Nothing is unpacked to a disk and no name of an entry becomes a path; an entry's bytes are bounded while
 * they are read, whatever sizes it claims. Two entries of one name are two files.
 */
export function openZipTree(path: string, maxPictureBytes: number): PictureTree {
  return {
    async *list() {
      const zip = await openPromise(path, {
        autoClose: false,
        // Checked for each entry by itself: one that is wrong is one verdict.
        decodeStrings: false,
        validateEntrySizes: false,
      }).catch(refuseZip);
      // Faults are told by what is waited for; one that nobody waits for must not end the process.
      zip.on('error', () => undefined);
      try {
        yield* listEntries(zip, maxPictureBytes);
      } finally {
        zip.close();
      }
    },
  };
}

async function* listEntries(zip: ZipFile, maxPictureBytes: number): AsyncGenerator<ListedFile> {
  if (zip.entryCount > maxFiles) return refuseZip(new Error(`it has more than ${maxFiles} entries`));
  const entries = zip.eachEntry();
  let packedBytes = 0;
  for (;;) {
    const { value: entry, done } = await entries.next().catch(refuseZip);
    if (done) return;
    packedBytes += entry.compressedSize;
    // A zip bomb lets many entries share the same bytes.
    if (packedBytes > zip.fileSize) refuseZip(new Error('its entries overlap, or it is cut'));
    const file = listEntry(zip, entry, maxPictureBytes);
    if (file !== null) yield file;
  }
}

/** Null for a folder and for what is passed over. */
function listEntry(zip: ZipFile, entry: Entry, maxPictureBytes: number): ListedFile | null {
  const name = nameOfEntry(entry);
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.');
  const path = segments.join('/');
  const refusal = validateFileName(name);
  if (refusal !== null) return { path: name, refusal: 'its name leads out of the zip' };
  if (name.endsWith('/') || segments.length === 0 || isPassedOver(segments)) return null;
  if (isLink(entry)) return { path, refusal: 'it is a link' };
  if (entry.isEncrypted()) return { path, refusal: 'it is encrypted: make a zip without a password' };
  if (!entry.canDecodeFileData()) {
    return {
      path,
      refusal: `it is packed by method ${entry.compressionMethod}: pack it by deflate, as usual`,
    };
  }
  if (entry.relativeOffsetOfLocalHeader + entry.compressedSize > zip.fileSize) {
    return { path, refusal: 'it is not within the zip' };
  }
  return { path, read: () => readEntry(zip, entry, maxPictureBytes) };
}

/** The type of file in the mode that Unix keeps in the upper half. */
function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

function refuseZip(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new ServiceError('bad_request', `this is no whole zip: ${quote(reason)}`, { cause: error });
}
