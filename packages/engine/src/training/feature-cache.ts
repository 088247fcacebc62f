import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ModelRef } from '../catalog/manifest.js';

/** Cache of image features on disk. */
export interface FeatureCache {
  /** Whether there is an entry of the image with these bytes; `read` may find it damaged. */
  has(sha256: string): Promise<boolean>;
  /** The entry of the image with these bytes; undefined where it is missing or damaged. */
  read(sha256: string): Promise<Uint8Array | undefined>;
  /** Written in the folder `writing` of the cache and renamed: an entry is complete or absent. */
  write(sha256: string, features: Uint8Array): Promise<void>;
}

const checksumBytes = 16;

/**
 * @param kind The kind of features; another name when they are computed in another way, so that old ones are not used
 * for new ones.
 */
export function openFeatureCache(cacheDir: string, backbone: ModelRef, kind: string): FeatureCache {
  const folder = join(cacheDir, `${backbone.id}@${backbone.version}`, kind);
  const writing = join(cacheDir, 'writing');
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);
  return {
    has: (sha256) =>
      access(pathOf(sha256)).then(
        () => true,
        () => false,
      ),
    async read(sha256) {
      const bytes = await readFile(pathOf(sha256)).catch(() => undefined);
      if (bytes === undefined || bytes.length < checksumBytes) return undefined;
      // A copy, so that it is aligned for numbers of any width.
      const features = new Uint8Array(bytes.subarray(checksumBytes));
      return checksum(features).equals(bytes.subarray(0, checksumBytes)) ? features : undefined;
    },
    async write(sha256, features) {
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
