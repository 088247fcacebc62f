import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { receiveFile, WrongBytesError } from '../checked-file.js';
import { publish } from '../durable-file.js';
import { readTar } from '../read-tar.js';
import { type FetchContext, FetchError, type RequestedFile } from './fetch-context.js';

/**
 * Takes the wanted files out of a package's tarball. Names in the tarball are only compared, never used as paths, so
 * nothing can be written anywhere else.
 */
export async function unpackFiles(
  tarball: string,
  files: readonly RequestedFile[],
  { layout, signal }: Pick<FetchContext, 'layout' | 'signal'>,
): Promise<void> {
  const missing = new Map(files.map((file) => [file.from, file]));
  const scratch: string[] = [];
  try {
    await readTar(
      tarball,
      (entry) => {
        // Everything in a package lies in one folder, usually called `package`.
        const file = missing.get(entry.path.slice(entry.path.indexOf('/') + 1));
        if (file === undefined || entry.type !== 'File') return undefined;
        missing.delete(file.from);
        const path = join(layout.scratch, randomUUID());
        scratch.push(path);
        return receiveFile(entry, file, path).then(() => publish(path, layout.source(file.sha256)));
      },
      signal,
    );
  } catch (error) {
    if (error instanceof WrongBytesError) throw new FetchError(error.message, false, { cause: error });
    throw error;
  } finally {
    await Promise.all(scratch.map((path) => rm(path, { force: true })));
  }
  const [absent] = missing.keys();
  if (absent !== undefined) throw new FetchError(`the package holds no file ${absent}`, false);
}
