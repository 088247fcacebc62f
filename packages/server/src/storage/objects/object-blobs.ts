import { rm } from 'node:fs/promises';
import { checkBlobId, isBlobId } from '../blobs/blob-id.js';
import type { BlobStore } from '../blobs/blob-store.js';
import type { Bucket } from './bucket.js';
import type { FileCache } from './file-cache.js';
import { receiveContent } from './receive-content.js';

/**
 * Blobs of one kind as objects of a bucket, the same for all replicas. Files of them that work on this machine needs are in
 * a cache.
 * @param store the beginning of their keys, such as `faces`
 * @param keepsWritten whether files of what is written stay for whoever looks at it soon
 */
export function createObjectBlobs(
  bucket: Bucket,
  cache: FileCache,
  store: string,
  { keepsWritten = true } = {},
): BlobStore {
  const keyOf = (id: string) => blobKey(store, id);
  const cacheKeyOf = (id: string) => `${store}-${id}`;
  return {
    async write(id, content) {
      const key = keyOf(id);
      const body = await receiveContent(content, cache.newPath());
      try {
        await bucket.put(key, body);
      } catch (error) {
        if (body.kind === 'file') await rm(body.path, { force: true });
        throw error;
      }
      if (body.kind === 'file') {
        const { path } = body;
        // Where it cannot be kept, it is brought again.
        if (keepsWritten) await cache.adopt(cacheKeyOf(id), path).catch(() => undefined);
        await rm(path, { force: true });
      }
      return body.sizeBytes;
    },

    async read(id) {
      return bucket.get(keyOf(id));
    },

    async readPart(id, part) {
      return bucket.getPart(keyOf(id), part);
    },

    async hold(id) {
      const key = keyOf(id);
      return cache.hold(cacheKeyOf(id), async () => (await bucket.get(key))?.stream ?? null);
    },

    async sizeOf(id) {
      return (await bucket.head(keyOf(id)))?.sizeBytes ?? null;
    },

    placeOf: keyOf,

    async remove(id) {
      await bucket.remove(keyOf(id));
      await cache.forget(cacheKeyOf(id));
    },

    async *list() {
      const beginning = `${store}/`;
      for await (const { key, writtenMs, sizeBytes } of bucket.list(beginning)) {
        const id = key.slice(beginning.length);
        if (isBlobId(id)) yield { id, writtenMs, sizeBytes };
      }
    },
  };
}

/** The key of a blob in the bucket. */
export function blobKey(store: string, id: string): string {
  checkBlobId(id);
  return `${store}/${id}`;
}
