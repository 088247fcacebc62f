import type { BlobStore } from './blob-store.js';

/** A blob is written before the row that names it: a young one without a row may be about to get it. */
const orphanAgeMs = 3_600_000;
const batchSize = 500;

/**
 * Deletes blobs that no row names: of a service killed before it wrote the row or after it deleted it. Answers how many.
 * @param namesOf those of these ids that rows name
 */
export async function sweepOrphanBlobs(
  blobs: Pick<BlobStore, 'list' | 'remove'>,
  namesOf: (ids: readonly string[]) => Promise<readonly string[]>,
  nowMs: number,
): Promise<number> {
  let swept = 0;
  const sweep = async (ids: readonly string[]) => {
    const named = new Set(await namesOf(ids));
    for (const id of ids) {
      if (named.has(id)) continue;
      await blobs.remove(id);
      swept += 1;
    }
  };
  let batch: string[] = [];
  for await (const { id, writtenMs } of blobs.list()) {
    if (writtenMs > nowMs - orphanAgeMs) continue;
    batch.push(id);
    if (batch.length < batchSize) continue;
    await sweep(batch);
    batch = [];
  }
  if (batch.length > 0) await sweep(batch);
  return swept;
}
