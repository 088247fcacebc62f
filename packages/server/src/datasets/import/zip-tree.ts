import { openZip, ZipError, type ZippedFile } from '@lynceus/engine';
import { FormatError } from '../formats/plan.js';
import { isPassedOver, maxFiles, type OpenTree } from './bounded-files.js';

/** The files in a zip. Throws `FormatError` for what is no whole zip. */
export async function openZipTree(path: string): Promise<OpenTree> {
  const zip = await openZip(path, { maxEntries: maxFiles }).catch(refuseZip);
  const files = new Map<string, ZippedFile>();
  const refused: { path: string; message: string }[] = [];
  try {
    for await (const file of zip.files()) {
      if (isPassedOver(file.path)) continue;
      const message = file.refusal ?? (files.has(file.path) ? 'another entry has its name' : null);
      if (message === null) files.set(file.path, file);
      else refused.push({ path: file.path, message });
    }
  } catch (error) {
    zip.close();
    refuseZip(error);
  }
  return {
    paths: [...files.keys()].sort(),
    refused,
    async read(wanted) {
      const file = files.get(wanted);
      if (!file) throw new FormatError(`${wanted} is not in the zip`);
      return file.read();
    },
    close: async () => zip.close(),
  };
}

function refuseZip(error: unknown): never {
  if (!(error instanceof ZipError)) throw error;
  throw new FormatError(error.message, { cause: error });
}
