import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { receiveFile, WrongBytesError } from './checked-file.js';
import { publish } from './durable-file.js';
import { type FetchContext, FetchError, type RequestedFile } from './fetch-context.js';

/** Copies files of this machine. */
export async function fetchFiles(files: readonly RequestedFile[], context: FetchContext): Promise<void> {
  for (const file of files) {
    const scratch = join(context.layout.scratch, randomUUID());
    try {
      if (!(await stat(file.from)).isFile()) throw new FetchError(`${file.from} is not a file`, false);
      await receiveFile(createReadStream(file.from, { signal: context.signal }), file, scratch);
      await publish(scratch, context.layout.source(file.sha256));
    } catch (error) {
      if (error instanceof WrongBytesError || error instanceof FetchError) {
        throw new FetchError(`${file.from}: ${error.message}`, false, { cause: error });
      }
      context.signal.throwIfAborted();
      throw new FetchError(`${file.from} cannot be read`, false, { cause: error });
    } finally {
      await rm(scratch, { force: true });
    }
  }
}
