import { openZip, ZipError, type ZippedFile } from '../archive/open-zip.js';
import { maxZipEntries } from './limits.js';
import { UploadRefused } from './upload-refused.js';

/** Files of an upload by their names; names of a zip keep their folders. They are never used as paths on disk. */
export type UploadFiles = ReadonlyMap<string, Uint8Array>;

/** Files of a model; images, notebooks and other files beside it are ignored. */
const wanted =
  /\.(onnx|tflite|lite|json|bin|txt|csv|tsv|names|pbtxt|ya?ml|data|h5|pb|keras|pkl)$|shard\d+of\d+/i;

/**
 * Unpacks a zip in memory. Both the declared and the actual size are limited.
 * @throws UploadRefused for a zip that is damaged, too large, encrypted, or names places outside itself.
 */
export async function unpack(bytes: Uint8Array, maxUnpackedBytes: number): Promise<UploadFiles> {
  const files = new Map<string, Uint8Array>();
  let [totalBytes, innerZip] = [0, ''];
  try {
    const zip = await openZip(bytes, { maxEntries: maxZipEntries });
    for await (const file of zip.files()) {
      const { path, refusal, sizeBytes } = file;
      if (path.startsWith('__MACOSX/')) continue;
      if (/\.zip$/i.test(path)) innerZip = path;
      if (!wanted.test(path)) continue;
      if (refusal !== null) throw new UploadRefused(`${path} in the zip cannot be read: ${refusal}`);
      if (files.has(path)) throw new UploadRefused(`the zip holds ${path} twice; pack it again`);
      totalBytes += sizeBytes;
      if (totalBytes > maxUnpackedBytes) {
        throw new UploadRefused(
          `the zip unpacks to more than ${maxUnpackedBytes} bytes; pack the model alone`,
        );
      }
      files.set(path, await readWhole(file));
    }
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    throw new UploadRefused(`the zip cannot be read: ${error.message}; pack it again`);
  }
  if (files.size === 0 && innerZip !== '')
    throw new UploadRefused(
      `the zip holds another zip, ${innerZip}; unpack the outer one and upload the inner one`,
    );
  return files;
}

async function readWhole(file: ZippedFile): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of file.read()) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}
