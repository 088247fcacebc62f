import { constants } from 'node:fs';
import { lstat, mkdir, open, opendir, readdir, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder, syncFolder } from '../../storage/durable-folder.js';
import { noRoom, toldAsFull } from './told-as-full.js';

/**
 * The bytes of drops' files in the data folder, by ids of ours: no name of a client's is a name here. Unlike a blob, a file
 * can be gone on with, and is there before it is whole; its row tells how far it can be trusted.
 */
export interface FileBytes {
  /** For writing from an offset on; what was behind it is dropped. Made when it is not there. */
  open(id: string, offsetBytes: number): Promise<OpenFile>;
  /** On this machine; there may be nothing. */
  pathOf(id: string): string;
  /** Of what is there; 0 for nothing. */
  sizeOf(id: string): Promise<number>;
  /** Null when there is nothing. Whoever gets the stream reads or destroys it. */
  read(id: string, offsetBytes: number): Promise<Readable | null>;
  /** On disk for good when it resolves, whoever wrote it. */
  sync(id: string): Promise<void>;
  /** What is not there is removed already. */
  remove(id: string): Promise<void>;
  /** All of them, in no order. */
  list(): AsyncIterable<{ readonly id: string; readonly writtenMs: number }>;
}

export interface OpenFile {
  /** Throws `full` where no room is left but the reserve. */
  write(chunk: Uint8Array): Promise<void>;
  /** On disk for good when it resolves. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** So many bytes are written between looks at the free room. */
const lookAfterBytes = 8 * 1024 * 1024;
/** So many characters of an id name the folder it is in: no folder then grows without bound. */
const shardLength = 2;
const idPattern = /^[a-z0-9-]{8,100}(\.xmp)?$/;

export interface FileBytesOptions {
  /** Room on the disk that drops leave to others. */
  readonly reserveBytes: number;
  /** Whether a service may be at work on them. */
  readonly isBeside?: boolean;
}

export async function openFileBytes(
  dir: string,
  { reserveBytes, isBeside = false }: FileBytesOptions,
): Promise<FileBytes> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (!isBeside) await removeWorkFolders(dir);

  const pathOf = (id: string) => {
    if (!idPattern.test(id)) throw new TypeError('this is no id of a file');
    return join(dir, id.slice(0, shardLength), id);
  };
  const checkRoom = async () => {
    const { bavail, bsize } = await statfs(dir);
    if (bavail * bsize < reserveBytes) throw noRoom();
  };

  return {
    pathOf,

    open: (id, offsetBytes) =>
      toldAsFull(async () => {
        await checkRoom();
        const path = pathOf(id);
        await makeFolder(dirname(path));
        // Nothing but a file of ours: a link that somebody laid there is not followed.
        const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;
        const file = await open(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600);
        await file.truncate(offsetBytes);
        let at = offsetBytes;
        let unlooked = 0;
        return {
          write: (chunk) =>
            toldAsFull(async () => {
              unlooked += chunk.byteLength;
              if (unlooked >= lookAfterBytes) {
                unlooked = 0;
                await checkRoom();
              }
              for (let done = 0; done < chunk.byteLength; ) {
                const { bytesWritten } = await file.write(chunk, done, chunk.byteLength - done, at);
                done += bytesWritten;
                at += bytesWritten;
              }
            }),
          finish: () =>
            toldAsFull(async () => {
              await file.sync();
              await syncFolder(dirname(path));
            }),
          close: () => file.close(),
        };
      }),

    async sizeOf(id) {
      const found = await lstat(pathOf(id)).catch(ignoreMissing);
      return found?.isFile() ? found.size : 0;
    },

    async read(id, offsetBytes) {
      const file = await open(pathOf(id), constants.O_RDONLY | constants.O_NOFOLLOW).catch(ignoreMissing);
      return file?.createReadStream({ start: offsetBytes }) ?? null;
    },

    async sync(id) {
      const path = pathOf(id);
      const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await syncFolder(dirname(path));
    },

    remove: (id) => rm(pathOf(id), { force: true }),

    async *list() {
      for (const shard of await readdir(dir)) {
        if (shard.length !== shardLength) continue;
        for await (const { name: id } of await opendir(join(dir, shard))) {
          const found = await lstat(join(dir, shard, id)).catch(ignoreMissing);
          if (found?.isFile() && idPattern.test(id)) yield { id, writtenMs: found.mtimeMs };
        }
      }
    },
  };
}

/** What a service that died was writing keywords in. */
async function removeWorkFolders(dir: string): Promise<void> {
  for (const shard of await readdir(dir, { withFileTypes: true })) {
    if (!shard.isDirectory()) continue;
    for (const inner of await readdir(join(dir, shard.name), { withFileTypes: true })) {
      if (inner.isDirectory()) await rm(join(dir, shard.name, inner.name), { recursive: true, force: true });
    }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
