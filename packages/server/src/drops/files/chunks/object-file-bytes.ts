import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { forEachLimited } from '../../../core/for-each-limited.js';
import { ownedUuid } from '../../../storage/blobs/owned-id.js';
import type { Database } from '../../../storage/database.js';
import type { DiskGuard } from '../../../storage/disk-guard.js';
import type { Bucket } from '../../../storage/objects/bucket.js';
import { bodyOf } from '../../../storage/objects/digests.js';
import type { FileCache } from '../../../storage/objects/file-cache.js';
import { DropError } from '../../drop-error.js';
import type { AppendGuard, FileBytes } from '../file-bytes.js';
import { withStorageErrors } from '../with-storage-errors.js';
import { inPiecesOf, planRead, planTruncation, sizeOfChunks } from './chunk-ranges.js';
import { type Chunk, contentKey, contentKeysOf, createChunkRows } from './chunk-rows.js';
import { openChunkUpload } from './chunk-upload.js';
import { chunkKey, readChunks } from './read-chunks.js';

/** An upload that a killed replica was receiving loses at most so many of its last bytes. */
const usualChunkBytes = 8 * 1024 * 1024;
/** Requests to the store for one file. */
const atOnce = 8;

interface ObjectFileBytesDeps {
  readonly database: Database;
  readonly bucket: Pick<Bucket, 'put' | 'get' | 'remove' | 'shown'>;
  readonly cache: FileCache;
  /** Of the cache. */
  readonly disk: Pick<DiskGuard, 'require'>;
  readonly chunkBytes?: number;
}

const noGuard: AppendGuard = (_sizeBytes, unit) => unit;

/**
 * The bytes of drops' files in a bucket, the same for all replicas: immutable objects, and rows that say which of them a file has, in
 * order. A change of a file is a change of rows; an object that no row names is nobody's.
 */
export function createObjectFileBytes(deps: ObjectFileBytesDeps): FileBytes {
  const { database, bucket, cache, disk, chunkBytes = usualChunkBytes } = deps;
  const rows = createChunkRows(database);

  /** What fails here is left to the sweep. */
  const removeObjects = (chunks: readonly Chunk[]): Promise<void> =>
    forEachLimited(chunks, atOnce, ({ objectId }) => bucket.remove(chunkKey(objectId)));

  /** Answers the chunks that it wrote. */
  const put = async (
    id: string,
    content: AsyncIterable<Uint8Array>,
    fence: Parameters<FileBytes['put']>[2],
  ): Promise<readonly Chunk[]> => {
    const accountId = await rows.accountOf(id);
    const chunks: Chunk[] = [];
    const putChunk = async (bytes: Uint8Array) => {
      const objectId = ownedUuid(accountId);
      const body = bodyOf(bytes);
      await bucket.put(chunkKey(objectId), body);
      const { sizeBytes, sha256 } = body;
      chunks.push({ offsetBytes: sizeOfChunks(chunks), sizeBytes, objectId, sha256 });
    };
    for await (const bytes of inPiecesOf(content, chunkBytes)) await putChunk(bytes);
    if (chunks.length === 0) await putChunk(new Uint8Array());
    const replaced = await rows.read(id);
    try {
      await database.write([rows.remove(id), rows.insert(id, accountId, chunks), ...fence]);
    } catch (error) {
      // The answer to a commit may be lost.
      if (!(await rows.isThere(chunks[0]?.objectId ?? '').catch(() => false))) throw error;
    }
    await removeObjects(replaced).catch(() => undefined);
    return chunks;
  };

  return {
    async open(id, offsetBytes, guard = noGuard) {
      await withStorageErrors(() => disk.require());
      const [chunks, accountId] = await Promise.all([rows.read(id), rows.accountOf(id)]);
      const sizeBytes = sizeOfChunks(chunks);
      if (sizeBytes < offsetBytes) {
        throw new DropError('offset', `only ${sizeBytes} bytes of the file are here to go on from`);
      }
      const unit = rows.truncate(id, chunks, offsetBytes);
      if (unit.length > 0) {
        await database.write(guard(offsetBytes, unit));
        await removeObjects(planTruncation(chunks, offsetBytes).removed).catch(() => undefined);
      }
      return openChunkUpload(
        { database, rows, bucket, cache, disk, chunkBytes },
        { bytesId: id, accountId, offsetBytes, guard },
      );
    },

    async put(id, content, fence) {
      await put(id, content, fence);
    },

    async hold(id) {
      const chunks = await rows.read(id);
      if (chunks.length === 0) return null;
      return cache.hold(contentKey(id, chunks), async () => readChunks(bucket, planRead(chunks, 0)));
    },

    async draft() {
      const path = cache.newPath();
      return {
        path,
        async keep(id, written, fence) {
          const chunks = await put(id, createReadStream(written), fence);
          // It is delivered soon. Where it cannot be kept here, it is fetched.
          await cache.adopt(contentKey(id, chunks), written).catch(() => rm(written, { force: true }));
        },
        async discard() {
          for (const each of [path, `${path}.xmp`]) await rm(each, { force: true });
        },
      };
    },

    sizeOf: async (id) => sizeOfChunks(await rows.read(id)),

    async read(id, offsetBytes) {
      const chunks = await rows.read(id);
      if (chunks.length === 0) return null;
      return Readable.from(readChunks(bucket, planRead(chunks, offsetBytes)), { objectMode: false });
    },

    async remove(id) {
      const chunks = await rows.read(id);
      if (chunks.length === 0) return;
      // First, so that no row names what is gone.
      await database.write([rows.remove(id)]);
      await removeObjects(chunks);
      const keys = contentKeysOf(id);
      await cache.forgetAll((key) => key.startsWith(keys));
    },
  };
}
