import { createHash } from 'node:crypto';
import { chmod, type FileHandle, lstat, mkdir, open, readdir, rm, statfs, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ServiceError } from '../errors/service-error.js';

/** A body in flight, on disk. `dispose` may be called at any time and more than once. */
export interface SpoolFile {
  readonly path: string;
  append(chunks: readonly Uint8Array[]): Promise<void>;
  /** Count bytes that somebody else writes into this file. */
  reserve(bytes: number): void;
  /** All bytes are written; the file stays until it is disposed of. */
  close(): Promise<void>;
  dispose(): Promise<void>;
}

/** Files for bodies too large to be kept in memory, with a budget of bytes over all of them. */
export interface Spool {
  readonly dir: string;
  readonly bytesInUse: number;
  /** Throws `service_busy`, here and on writing, when the budget is used up. */
  createFile(): Promise<SpoolFile>;
}

const filePattern = /^body-\d+$/;

/** Opens the spool in a folder of its own and deletes what a previous run left in it. */
export async function openSpool(options: { dir: string; maxBytes: number }): Promise<Spool> {
  const { dir, maxBytes } = options;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dir)) {
    if (filePattern.test(name)) await rm(join(dir, name), { force: true });
  }
  let bytesInUse = 0;
  let serial = 0;

  const count = (bytes: number) => {
    if (bytesInUse + bytes > maxBytes) {
      throw new ServiceError('service_busy', 'too many large pictures are being received; try again shortly');
    }
    bytesInUse += bytes;
  };

  const createFile = async (): Promise<SpoolFile> => {
    serial += 1;
    const path = join(dir, `body-${serial}`);
    const handle = await open(path, 'wx', 0o600);
    let ownBytes = 0;
    let closing: Promise<void> | undefined;
    let disposing: Promise<void> | undefined;
    const reserve = (bytes: number) => {
      if (disposing !== undefined) throw new Error('The spool file is disposed of');
      count(bytes);
      ownBytes += bytes;
    };
    const close = () => {
      closing ??= handle.close();
      return closing;
    };
    const remove = async () => {
      await close().catch(() => undefined);
      await unlink(path).catch(ignoreMissing);
      bytesInUse -= ownBytes;
      ownBytes = 0;
    };
    return {
      path,
      reserve,
      close,
      append: async (chunks) => {
        reserve(chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0));
        await writeAll(handle, chunks);
      },
      dispose: () => {
        disposing ??= remove();
        return disposing;
      },
    };
  };

  return {
    dir,
    get bytesInUse() {
      return bytesInUse;
    },
    createFile,
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

// writev may write less than it was given.
async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[]): Promise<void> {
  let rest = [...chunks];
  while (rest.length > 0) {
    let { bytesWritten } = await handle.writev(rest);
    while (rest[0] !== undefined && bytesWritten >= rest[0].byteLength) {
      bytesWritten -= rest[0].byteLength;
      rest = rest.slice(1);
    }
    if (rest[0] !== undefined && bytesWritten > 0) rest[0] = rest[0].subarray(bytesWritten);
  }
}

/**
 * The folder of the spool. Named by the settings or not, it is a folder apart for each data folder, since it is swept
 * at start. Without a setting: shared memory when it has twice the budget free (a container's is often 64 MiB), else
 * the data folder.
 */
export async function chooseSpoolDir(options: {
  spoolDir: string;
  dataDir: string;
  maxBytes: number;
  sharedMemoryDir?: string;
}): Promise<string> {
  const data = resolve(options.dataDir);
  const own = `lynceus-spool-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`;
  if (options.spoolDir !== '') return join(resolve(options.spoolDir), own);
  const shared = join(options.sharedMemoryDir ?? '/dev/shm', own);
  const usable =
    (await freeBytes(options.sharedMemoryDir ?? '/dev/shm')) >= 2 * options.maxBytes &&
    (await makePrivateDir(shared));
  return usable ? shared : join(data, 'spool');
}

async function freeBytes(dir: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(dir);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

// Shared memory is writable by everybody: a folder that another user laid there in our name is not ours to use.
async function makePrivateDir(dir: string): Promise<boolean> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const found = await lstat(dir);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return false;
    await chmod(dir, 0o700);
    return true;
  } catch {
    return false;
  }
}
