import { createHash } from 'node:crypto';
import type { Bucket } from '../../../storage/objects/bucket.js';
import { blobKey } from '../../../storage/objects/object-blobs.js';
import { StorageError } from '../../../storage/storage-error.js';
import type { ChunkRead } from './chunk-ranges.js';
import type { Chunk } from './chunk-rows.js';

/** The key of a chunk in the bucket. */
export function chunkKey(objectId: string): string {
  return blobKey('drops', objectId);
}

/** The bytes of these chunks, one after the other, compared with their digests. Throws `damaged` where they are not as they were. */
export async function* readChunks(
  bucket: Pick<Bucket, 'get' | 'shown'>,
  reads: readonly ChunkRead<Chunk>[],
): AsyncIterable<Uint8Array> {
  for (const { chunk, skipBytes } of reads) {
    const key = chunkKey(chunk.objectId);
    const found = await bucket.get(key);
    if (found === null) throw damaged(bucket, key, 'is gone');
    const hash = chunk.sha256 === null ? null : createHash('sha256');
    let at = 0;
    for await (const piece of found.stream) {
      hash?.update(piece);
      const some: Uint8Array = piece.subarray(Math.max(0, skipBytes - at), Math.max(0, chunk.sizeBytes - at));
      at += piece.byteLength;
      if (some.byteLength > 0) yield some;
      // The object has more than counts.
      if (hash === null && at >= chunk.sizeBytes) break;
    }
    if (at < chunk.sizeBytes) throw damaged(bucket, key, 'is too short');
    if (hash !== null && hash.digest('hex') !== chunk.sha256) throw damaged(bucket, key, 'has other bytes');
  }
}

function damaged({ shown }: Pick<Bucket, 'shown'>, key: string, what: string): StorageError {
  return new StorageError(
    'damaged',
    `${shown}/${key}, which has bytes of a drop's file, ${what}: bring back an older version of this object, or send the file again.`,
  );
}
