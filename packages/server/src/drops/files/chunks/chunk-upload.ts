import { rm } from 'node:fs/promises';
import { ownedUuid } from '../../../storage/blobs/owned-id.js';
import type { Database } from '../../../storage/database.js';
import type { DiskGuard } from '../../../storage/disk-guard.js';
import type { Bucket } from '../../../storage/objects/bucket.js';
import { bodyOf } from '../../../storage/objects/digests.js';
import type { FileCache } from '../../../storage/objects/file-cache.js';
import type { AppendGuard, OpenFile } from '../file-bytes.js';
import { withStorageErrors } from '../with-storage-errors.js';
import { type ChunkDraft, openChunkDraft } from './chunk-draft.js';
import { sizeOfChunks } from './chunk-ranges.js';
import { type Chunk, type ChunkRows, contentKey } from './chunk-rows.js';
import { chunkKey } from './read-chunks.js';

interface ChunkUploadDeps {
  readonly database: Pick<Database, 'write'>;
  readonly rows: ChunkRows;
  readonly bucket: Pick<Bucket, 'put' | 'remove'>;
  readonly cache: Pick<FileCache, 'newPath' | 'adopt'>;
  readonly chunkBytes: number;
  /** Of the cache. */
  readonly disk: Pick<DiskGuard, 'require'>;
}

interface ChunkUploadOptions {
  readonly bytesId: string;
  readonly accountId: number;
  /** Where the file ends in the bucket. */
  readonly offsetBytes: number;
  readonly guard: AppendGuard;
}

/** Appends to a file in the bucket: each chunk is an object first, then a row, so that a row names what is there. */
export function openChunkUpload(
  { database, rows, bucket, cache, chunkBytes, disk }: ChunkUploadDeps,
  { bytesId, accountId, offsetBytes, guard }: ChunkUploadOptions,
): OpenFile {
  let draft: ChunkDraft | null = null;
  /** Bytes of the file that rows name. */
  let keptBytes = offsetBytes;
  /** An object without a byte, by which an empty file is there. */
  let emptyId: string | null = null;

  const name = async (chunk: Chunk): Promise<void> => {
    const unit = [
      ...(emptyId === null ? [] : [rows.remove(bytesId)]),
      rows.insert(bytesId, accountId, [chunk]),
    ];
    try {
      await database.write(guard(chunk.offsetBytes + chunk.sizeBytes, unit));
    } catch (error) {
      // The answer to a commit may be lost.
      if (!(await rows.isThere(chunk.objectId).catch(() => false))) throw error;
    }
    if (emptyId !== null) await bucket.remove(chunkKey(emptyId)).catch(() => undefined);
    emptyId = null;
  };

  const flush = async (): Promise<void> => {
    if (draft === null) return;
    const full = draft;
    const { path, ...body } = full.body();
    const objectId = ownedUuid(accountId);
    await bucket.put(chunkKey(objectId), { ...body, path });
    const { sizeBytes, sha256 } = body;
    const chunk = { offsetBytes: keptBytes, sizeBytes, objectId, sha256 };
    await name(chunk);
    keptBytes += sizeBytes;
    draft = null;
    await full.close();
    // A small file is looked at soon. Where it cannot be kept, it is fetched.
    const isWhole = chunk.offsetBytes === 0 && sizeBytes < chunkBytes;
    const kept = isWhole ? cache.adopt(contentKey(bytesId, [chunk]), path) : rm(path, { force: true });
    await kept.catch(() => rm(path, { force: true }));
  };

  const append = async (piece: Uint8Array): Promise<void> => {
    if (draft === null) {
      await disk.require();
      draft = await openChunkDraft(cache.newPath());
    }
    try {
      await draft.write(piece);
    } catch (error) {
      // It is not known how much of it was written.
      const broken = draft;
      draft = null;
      await broken.discard().catch(() => undefined);
      throw error;
    }
  };

  return {
    write: (piece) =>
      withStorageErrors(async () => {
        for (let done = 0; done < piece.byteLength; ) {
          const room = chunkBytes - (draft?.sizeBytes() ?? 0);
          const part = piece.subarray(done, done + room);
          await append(part);
          done += part.byteLength;
          if (part.byteLength === room) await flush();
        }
      }),

    sync: () =>
      withStorageErrors(async () => {
        await flush();
        if (keptBytes > 0 || emptyId !== null) return;
        const body = bodyOf('');
        const objectId = ownedUuid(accountId);
        await bucket.put(chunkKey(objectId), body);
        await name({ offsetBytes: 0, sizeBytes: 0, objectId, sha256: body.sha256 });
        emptyId = objectId;
      }),

    async keep() {
      await flush().catch(() => undefined);
      return sizeOfChunks(await rows.read(bytesId));
    },

    async close() {
      const rest = draft;
      draft = null;
      await rest?.discard();
    },
  };
}
