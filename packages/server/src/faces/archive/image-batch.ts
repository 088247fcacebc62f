import type { Clock } from '../../core/clock.js';
import { forEachLimited } from '../../core/for-each-limited.js';
import type { BlobStore } from '../../storage/blobs/blob-store.js';
import type { Database } from '../../storage/database.js';
import type { FaceQuota } from '../face-quota.js';
import { insertImage } from '../insert-image.js';
import { type ImageToImport, type ReadImage, type ReadImageDeps, readImage } from './read-image.js';

/** Images of one unit: what an import has in memory, and what another writer waits for. */
const maxImages = 25;
const maxBytes = 8 * 1024 * 1024;
/** So that an import leaves disk and inference to others. */
const maxConcurrency = 4;

export interface ImageBatchDeps extends Omit<ReadImageDeps, 'accountId'> {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly imageFiles: Pick<BlobStore, 'write' | 'remove'>;
  readonly quota: FaceQuota;
}

/** To whom, and what. */
interface BatchedImage extends ImageToImport {
  readonly personId: number;
}

interface BatchOutcome {
  readonly added: number;
  /** Of those added. */
  readonly reEmbedded: number;
  readonly leftOut: number;
}

/** Images of one perception that are kept together: images first, then all rows in one unit. */
export type ImageBatch = ReturnType<typeof createImageBatch>;

export function createImageBatch(deps: ImageBatchDeps, accountId: number, perceptionId: number) {
  const { database, imageFiles, quota } = deps;
  let waiting: BatchedImage[] = [];
  let bytes = 0;

  /** In the order in which they came, whichever was ready first. */
  const readAll = async (images: readonly BatchedImage[], written: string[]) => {
    const read: (ReadImage | null)[] = [];
    await forEachLimited(images.entries(), maxConcurrency, async ([index, image]) => {
      const found = await readImage({ ...deps, accountId }, image);
      read[index] = found;
      if (found === null) return;
      written.push(found.blobId);
      await imageFiles.write(found.blobId, once(image.content));
    });
    return read;
  };

  return {
    /** Whether it is full, and to be kept before another comes. */
    put(image: BatchedImage): boolean {
      waiting.push(image);
      bytes += image.content.byteLength;
      return waiting.length >= maxImages || bytes >= maxBytes;
    },

    /** Keeps what it has and is empty. When it throws, nothing of it is kept. */
    async keep(): Promise<BatchOutcome> {
      const images = waiting;
      const more = { images: images.length, bytes };
      waiting = [];
      bytes = 0;
      await quota.require(accountId, more);
      const written: string[] = [];
      try {
        const read = await readAll(images, written);
        const statements = images.flatMap(({ personId }, index) => {
          const found = read[index];
          return found ? insertImage(deps, accountId, perceptionId, personId, found) : [];
        });
        if (statements.length > 0) await database.write(statements);
        const added = read.filter((found) => found !== null);
        return {
          added: added.length,
          reEmbedded: added.filter(({ isReEmbedded }) => isReEmbedded).length,
          leftOut: read.length - added.length,
        };
      } catch (error) {
        await Promise.all(written.map((blobId) => imageFiles.remove(blobId)));
        throw error;
      }
    },
  };
}

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}
