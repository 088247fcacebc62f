import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ModelRef } from '../catalog/manifest.js';

const checksumBytes = 16;

/**
 * Cache of image features on disk.
 * @param kind The kind of features; another name when they are computed in another way, so that old ones are not used
 * for new ones.
 */
export function openFeatureCache(cacheDir: string, backbone: ModelRef, kind: string) {
  const folder = join(cacheDir, `${backbone.id}@${backbone.version}`, kind);
  const writing = join(cacheDir, 'writing');
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);
  return {
    /** Whether there is an entry of the image with these bytes; `read` may find it damaged. */
    has: (sha256: string): Promise<boolean> =>
      access(pathOf(sha256)).then(
        () => true,
        () => false,
      ),
    /** The entry of the image with these bytes; undefined where it is missing or damaged. */
    async read(sha256: string): Promise<Uint8Array | undefined> {
      const bytes = await readFile(pathOf(sha256)).catch(() => undefined);
      if (bytes === undefined || bytes.length < checksumBytes) return undefined;
      // A copy, so that it is aligned for numbers of any width.
      const features = new Uint8Array(bytes.subarray(checksumBytes));
      return checksum(features).equals(bytes.subarray(0, checksumBytes)) ? features : undefined;
    },
    /** Written in the folder `writing` of the cache and renamed: an entry is complete or absent. */
    async write(sha256: string, features: Uint8Array) {
      const path = pathOf(sha256);
      const partial = join(writing, randomUUID());
      await mkdir(writing, { recursive: true });
      await mkdir(dirname(path), { recursive: true });
      await writeFile(partial, Buffer.concat([checksum(features), features]));
      await rename(partial, path);
    },
  };
}

function checksum(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest().subarray(0, checksumBytes);
}
