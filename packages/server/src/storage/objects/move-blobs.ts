import { createHash } from 'node:crypto';
import { batchesOf } from '../../core/batches-of.js';
import { forEachLimited } from '../../core/for-each-limited.js';
import type { BlobStore } from '../blobs/blob-store.js';

/** How far one store of blobs has come to be as another. */
export interface Copied {
  /** In the store that is copied. */
  readonly blobs: number;
  /** Written now; the others were there already. */
  readonly written: number;
  readonly writtenBytes: number;
}

export interface CopyOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

const atOnce = 8;

/**
 * Writes into a store what another has and it has not, or with another size. Each blob is there whole or not at all, so a copy
 * that was cut short resumes where it stopped. Of each blob in the target some 100 bytes are in memory. Nothing is deleted.
 */
export async function copyBlobs(
  from: Pick<BlobStore, 'list' | 'read'>,
  to: Pick<BlobStore, 'list' | 'write'>,
  { signal, onProgress }: CopyOptions,
): Promise<Copied> {
  const there = await sizesIn(to);
  let [blobs, written, writtenBytes] = [0, 0, 0];
  const copy = async (id: string): Promise<void> => {
    signal.throwIfAborted();
    const found = await from.read(id);
    // It was deleted meanwhile.
    if (found === null) return;
    writtenBytes += await to.write(id, found.stream);
    written += 1;
    onProgress?.(blobs);
  };
  for await (const batch of batchesOf(from.list(), batchSize)) {
    blobs += batch.length;
    const missing = batch.filter(({ id, sizeBytes }) => there.get(id) !== sizeBytes);
    await forEachLimited(missing, atOnce, ({ id }) => copy(id));
    onProgress?.(blobs);
  }
  return { blobs, written, writtenBytes };
}

/** What is wrong with a copy of a store. */
export interface Differences {
  readonly blobs: number;
  /** Ids of what the copy has not. */
  readonly missing: readonly string[];
  /** Ids of what has other bytes there. */
  readonly different: readonly string[];
}

/**
 * Compares a store with its copy, which may have more.
 * @param isContentRead whether every byte of both is read and compared by SHA-256, and not their lengths alone
 */
export async function compareBlobs(
  from: Pick<BlobStore, 'list' | 'read'>,
  copy: Pick<BlobStore, 'list' | 'read'>,
  { signal, onProgress, isContentRead }: CopyOptions & { readonly isContentRead: boolean },
): Promise<Differences> {
  const there = await sizesIn(copy);
  let blobs = 0;
  const [missing, different]: [string[], string[]] = [[], []];
  for await (const batch of batchesOf(from.list(), batchSize)) {
    blobs += batch.length;
    await forEachLimited(batch, atOnce, async ({ id, sizeBytes }) => {
      signal.throwIfAborted();
      const size = there.get(id);
      if (size === undefined) missing.push(id);
      else if (size !== sizeBytes) different.push(id);
      else if (isContentRead && (await hashOf(from, id)) !== (await hashOf(copy, id))) different.push(id);
    });
    onProgress?.(blobs);
  }
  return { blobs, missing: missing.sort(), different: different.sort() };
}

/** Those of these ids that a store has not. */
export async function missingIn(
  store: Pick<BlobStore, 'sizeOf'>,
  ids: readonly string[],
): Promise<readonly string[]> {
  const missing: string[] = [];
  await forEachLimited(ids, atOnce, async (id) => {
    if ((await store.sizeOf(id)) === null) missing.push(id);
  });
  return missing.sort();
}

async function sizesIn({ list }: Pick<BlobStore, 'list'>): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>();
  for await (const { id, sizeBytes } of list()) sizes.set(id, sizeBytes);
  return sizes;
}

async function hashOf(store: Pick<BlobStore, 'read'>, id: string): Promise<string | null> {
  const found = await store.read(id);
  if (found === null) return null;
  const hash = createHash('sha256');
  for await (const piece of found.stream) hash.update(piece);
  return hash.digest('hex');
}

const batchSize = 500;
