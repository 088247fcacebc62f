import { createHash } from 'node:crypto';
import { closeSync, openSync, unlinkSync, writevSync } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, rm, statfs, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ServiceError } from '../core/service-error.js';

/** A body in flight, on disk. `dispose` may be called at any time and more than once. */
export interface SpoolFile {
  readonly path: string;
  append(chunks: readonly Uint8Array[]): Promise<void>;
  /** Count bytes that another process writes into this file. */
  reserve(bytes: number): void;
  /** All bytes are written; the file stays until it is disposed of. */
  close(): Promise<void>;
  dispose(): Promise<void>;
}

/** Bytes of a body in flight that are not in a file, which count all the same. */
interface HeldInMemory {
  reserve(bytes: number): void;
  /** None of them are held any more; may be called more than once. */
  release(): void;
}

/** Files for bodies too large to be kept in memory, with a budget of bytes over all of them. */
export interface Spool {
  readonly dir: string;
  readonly bytesInUse: number;
  /** Throws `service_busy`, here and on writing, when the budget is used up. */
  createFile(): Promise<SpoolFile>;
  /** Its `reserve` throws the same. */
  holdInMemory(): HeldInMemory;
  /** The same for bodies of one account, which has half of the budget; above that `too_many_requests`. */
  of(accountId: number): Spool;
}

interface SpoolOptions {
  readonly dir: string;
  readonly maxBytes: number;
  /** Of one request: an account may hold that much, where half of the budget is less. */
  readonly largestRequestBytes?: number;
}

const filePattern = /^body-\d+$/;

/** Opens the spool in a folder of its own and deletes what a previous run left in it. */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const { dir, maxBytes, largestRequestBytes = 0 } = options;
  const maxBytesOfAccount = Math.max(Math.floor(maxBytes / 2), largestRequestBytes);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(dir)) {
    if (filePattern.test(name)) await rm(join(dir, name), { force: true });
  }
  const files = (await isSharedMemory(dir)) ? filesInMemory : filesOnDisk;
  let bytesInUse = 0;
  let serial = 0;
  const byAccount = new Map<number, number>();

  /** Counts bytes, or takes them back, for an account too where there is one. */
  const change = (accountId: number | null, bytes: number) => {
    bytesInUse += bytes;
    if (accountId === null) return;
    const held = (byAccount.get(accountId) ?? 0) + bytes;
    if (held > 0) byAccount.set(accountId, held);
    else byAccount.delete(accountId);
  };
  const count = (accountId: number | null, bytes: number) => {
    if (accountId !== null && (byAccount.get(accountId) ?? 0) + bytes > maxBytesOfAccount) {
      throw new ServiceError(
        'too_many_requests',
        'too many large images of this account are being received: send fewer at once',
        { retryAfterSeconds: 1 },
      );
    }
    if (bytesInUse + bytes > maxBytes) {
      throw new ServiceError('service_busy', 'too many large images are being received; try again shortly');
    }
    change(accountId, bytes);
  };

  const createFile = async (accountId: number | null): Promise<SpoolFile> => {
    serial += 1;
    const path = join(dir, `body-${serial}`);
    const handle = await files.create(path);
    let ownBytes = 0;
    let closing: Promise<void> | undefined;
    let disposing: Promise<void> | undefined;
    const reserve = (bytes: number) => {
      if (disposing !== undefined) throw new Error('The spool file is disposed of');
      count(accountId, bytes);
      ownBytes += bytes;
    };
    const close = () => {
      closing ??= handle.close();
      return closing;
    };
    const remove = async () => {
      await close().catch(() => undefined);
      await files.remove(path).catch(ignoreMissing);
      change(accountId, -ownBytes);
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

  const holdInMemory = (accountId: number | null): HeldInMemory => {
    let ownBytes = 0;
    return {
      reserve(bytes) {
        count(accountId, bytes);
        ownBytes += bytes;
      },
      release() {
        change(accountId, -ownBytes);
        ownBytes = 0;
      },
    };
  };

  const viewOf = (accountId: number | null): Spool => ({
    dir,
    get bytesInUse() {
      return bytesInUse;
    },
    createFile: () => createFile(accountId),
    holdInMemory: () => holdInMemory(accountId),
    of: viewOf,
  });
  return viewOf(null);
}

interface OpenFile {
  /** Writes some of the bytes, and answers how many. */
  write(chunks: readonly Uint8Array[]): Promise<number>;
  close(): Promise<void>;
}
interface Files {
  create(path: string): Promise<OpenFile>;
  remove(path: string): Promise<void>;
}

const filesOnDisk: Files = {
  async create(path) {
    const file = await open(path, 'wx', 0o600);
    return {
      write: async (chunks) => (await file.writev(chunks)).bytesWritten,
      close: () => file.close(),
    };
  },
  remove: unlink,
};

/** In shared memory a call takes microseconds and waits for nothing; the way to the thread pool and back takes longer. */
const filesInMemory: Files = {
  async create(path) {
    const file = openSync(path, 'wx', 0o600);
    return {
      write: async (chunks) => writevSync(file, chunks),
      close: async () => closeSync(file),
    };
  },
  remove: async (path) => unlinkSync(path),
};

/** f_type of tmpfs: statfs(2). */
const tmpfsType = 0x01021994;

async function isSharedMemory(dir: string): Promise<boolean> {
  return (await statfs(dir)).type === tmpfsType;
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

// A write may take less than it was given.
async function writeAll(file: OpenFile, chunks: readonly Uint8Array[]): Promise<void> {
  let rest = chunks;
  while (rest.length > 0) {
    let written = await file.write(rest);
    let whole = 0;
    for (const { byteLength } of rest) {
      if (written < byteLength) break;
      written -= byteLength;
      whole += 1;
    }
    const [cut, ...behind] = rest.slice(whole);
    rest = cut === undefined ? [] : [cut.subarray(written), ...behind];
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
