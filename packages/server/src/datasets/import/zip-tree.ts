import { type Entry, openPromise, validateFileName, type ZipFile } from 'yauzl';
import { FormatError } from '../formats/plan.js';
import { isPassedOver, maxFiles, type OpenTree } from './bounded-files.js';

/**
 * The files in a zip. Nothing is unpacked by its name, and whoever reads an entry bounds its bytes, whatever sizes it claims.
 * Throws `FormatError` for what is no whole zip.
 */
export async function openZipTree(path: string): Promise<OpenTree> {
  // Sizes are bounded by what is read; names are checked one by one, so that one that is wrong spoils itself alone.
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: false } as const;
  const zip = await openPromise(path, options).catch(refuseZip);
  // Told by whatever waits; nobody else shall end for it.
  zip.on('error', () => undefined);
  const entries = new Map<string, Entry>();
  const refused: { path: string; message: string }[] = [];
  try {
    if (zip.entryCount > maxFiles) throw new Error(`it has more than ${maxFiles} entries`);
    let packedBytes = 0;
    for await (const entry of zip.eachEntry()) {
      packedBytes += entry.compressedSize;
      // Of a zip bomb many entries share the same bytes.
      if (packedBytes > zip.fileSize) throw new Error('its entries overlap, or it is cut');
      const name = nameOf(entry);
      if (name.endsWith('/') || isPassedOver(name)) continue;
      const message = refusalOf(zip, entry, name, entries);
      if (message === null) entries.set(name, entry);
      else refused.push({ path: name, message });
    }
  } catch (error) {
    zip.close();
    refuseZip(error);
  }
  return {
    paths: [...entries.keys()].sort(),
    refused,
    async read(wanted) {
      const entry = entries.get(wanted);
      if (!entry) throw new FormatError(`${wanted} is not in the zip`);
      return zip.openReadStreamPromise(entry);
    },
    close: async () => zip.close(),
  };
}

function refusalOf(
  zip: ZipFile,
  entry: Entry,
  name: string,
  entries: ReadonlyMap<string, Entry>,
): string | null {
  if (validateFileName(name) !== null) return 'its name leads out of the zip';
  if (((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000) return 'it is a link';
  if (entry.isEncrypted()) return 'it is encrypted: make a zip without a password';
  if (!entry.canDecodeFileData())
    return `it is packed by method ${entry.compressionMethod}: pack it by deflate`;
  if (entry.relativeOffsetOfLocalHeader + entry.compressedSize > zip.fileSize)
    return 'it is not within the zip';
  return entries.has(name) ? 'another entry has its name' : null;
}

/** UTF-8, whether or not the entry says so: every program of today writes it. */
function nameOf({ fileNameRaw }: Entry): string {
  return fileNameRaw
    .toString('utf8')
    .replaceAll('\\', '/')
    .replace(/^(\.\/)+/, '');
}

function refuseZip(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new FormatError(`this is no whole zip: ${reason}`, { cause: error });
}
