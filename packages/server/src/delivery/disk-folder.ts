import { constants, createReadStream } from 'node:fs';
import { link, lstat, open, readdir, realpath, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { WithKeyLock } from '../core/keyed-mutex.js';
import { syncFolder } from '../storage/durable-folder.js';
import { DeliveryError } from './destination.js';
import { hashOf, type OutgoingFile } from './outgoing-file.js';
import { noFileSize, type RemoteFolder } from './remote-folder.js';
import { temporaryName } from './remote-names.js';

interface DiskFolderOptions {
  /** Its real path. */
  readonly folder: string;
  readonly withKeyLock: WithKeyLock;
  readonly signal: AbortSignal;
}

/** Errors of file systems without hard links. */
const noLinkCodes: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

export function createDiskFolder({ folder, withKeyLock, signal }: DiskFolderOptions): RemoteFolder {
  const at = (name: string) => join(folder, name);
  const findSize = async (name: string) => {
    try {
      const found = await lstat(at(name));
      return found.isFile() ? found.size : noFileSize;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return null;
      throw error;
    }
  };

  /**
   * Creates a hard link and removes the first name. Unlike a rename, this never replaces a file that another program has written.
   */
  const finish = async (temporary: string, name: string): Promise<'put' | 'taken'> => {
    try {
      await link(at(temporary), at(name));
      await unlink(at(temporary));
      return 'put';
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EEXIST') return 'taken';
      if (!noLinkCodes.has(code ?? '')) throw error;
    }
    return withKeyLock(at(name).toLowerCase(), async () => {
      if ((await findSize(name)) !== null) return 'taken';
      await rename(at(temporary), at(name));
      return 'put';
    });
  };

  return {
    findSize,
    remove: (name) => unlink(at(name)),
    listNames: () => readdir(folder),
    async isSame(name, file) {
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
      const handle = await open(at(name), flags);
      const hash = await hashOf(createReadStream('', { fd: handle, signal }));
      if (hash !== file.sha256) return false;
      // An earlier attempt may have been interrupted between creating the link and removing the first name.
      await rm(at(temporaryName(file)), { force: true });
      return true;
    },
    async put(name, file, mayReplace) {
      const temporary = temporaryName(file);
      try {
        await writeFile(at(temporary), file, signal);
        // Another user with write access could have replaced the folder by a link meanwhile.
        if ((await realpath(folder)) !== folder) {
          throw new DeliveryError('not-allowed', `${folder} has been replaced by a link`);
        }
        if (!mayReplace && (await finish(temporary, name)) === 'taken') {
          await unlink(at(temporary));
          return 'taken';
        }
        if (mayReplace) await rename(at(temporary), at(name));
      } catch (error) {
        await rm(at(temporary), { force: true }).catch(() => undefined);
        if (codeOf(error) === 'EISDIR') throw new DeliveryError('refused', `${at(name)} is a folder`);
        throw error;
      }
      await syncFolder(folder);
      if ((await findSize(name)) !== file.sizeBytes) {
        throw new DeliveryError('mismatch', `${at(name)} differs in size from what was written`);
      }
      return 'put';
    },
    describeLocation: at,
  };
}

/** Creates a new file; a file that an earlier attempt left is removed first. */
async function writeFile(path: string, file: OutgoingFile, signal: AbortSignal): Promise<void> {
  await rm(path, { force: true });
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
  try {
    for await (const chunk of file.read(signal)) await handle.write(chunk);
    await handle.sync();
    const { size } = await handle.stat();
    if (size !== file.sizeBytes) {
      throw new DeliveryError(
        'mismatch',
        `the folder has ${size} of the ${file.sizeBytes} bytes of ${file.name}`,
      );
    }
  } finally {
    await handle.close();
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
