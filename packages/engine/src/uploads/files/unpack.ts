import { promisify } from 'node:util';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { maxZipEntries } from '../limits.js';
import { UploadRefused } from '../upload-refused.js';

/** Files of an upload by their names; names of a zip keep their folders. They are never used as paths on disk. */
export type UploadFiles = ReadonlyMap<string, Uint8Array>;

/** What a model may consist of; pictures, notebooks and the like that lie beside it are left alone. */
const wanted = /\.(onnx|tflite|lite|json|bin|txt|data|h5|pb|keras|pkl)$|shard\d+of\d+/i;

const openZip = promisify<Buffer, yauzl.Options, ZipFile>(yauzl.fromBuffer);

/**
 * Unpacks a zip in memory. What it claims and what comes out are both held to the limit.
 * @throws UploadRefused for a zip that is damaged, too large, encrypted, or names places outside itself.
 */
export async function unpack(bytes: Uint8Array, maxUnpackedBytes: number): Promise<UploadFiles> {
  try {
    const zip = await openZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
      strictFileNames: true,
    });
    return await readEntries(zip, maxUnpackedBytes);
  } catch (error) {
    if (error instanceof UploadRefused) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UploadRefused(`the zip cannot be read: ${reason.slice(0, 200)}; pack it again`);
  }
}

async function readEntries(zip: ZipFile, maxUnpackedBytes: number): Promise<UploadFiles> {
  if (zip.entryCount > maxZipEntries) {
    throw new UploadRefused(
      `the zip holds ${zip.entryCount} files, more than ${maxZipEntries}; pack only the model and its labels`,
    );
  }
  const files = new Map<string, Uint8Array>();
  let total = 0;
  for await (const entry of entriesOf(zip)) {
    if (entry.fileName.endsWith('/') || entry.fileName.startsWith('__MACOSX/')) continue;
    if (!wanted.test(entry.fileName)) continue;
    total += entry.uncompressedSize;
    if (total > maxUnpackedBytes) {
      throw new UploadRefused(`the zip unpacks to more than ${maxUnpackedBytes} bytes; pack the model alone`);
    }
    if (entry.isEncrypted()) throw new UploadRefused('the zip is encrypted; pack it without a password');
    files.set(entry.fileName, await readEntry(zip, entry));
  }
  return files;
}

async function* entriesOf(zip: ZipFile): AsyncGenerator<Entry> {
  for (let index = 0; index < zip.entryCount; index++) {
    yield await new Promise<Entry>((resolve, reject) => {
      zip.once('entry', resolve);
      zip.once('error', reject);
      zip.readEntry();
    });
    zip.removeAllListeners('error');
  }
}

/** yauzl ends the stream with an error where more comes out than the entry claims. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const open = promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip));
  const parts: Uint8Array[] = [];
  for await (const part of await open(entry)) {
    if (part instanceof Uint8Array) parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}
