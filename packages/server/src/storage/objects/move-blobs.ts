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
  /** Of those written, that had other bytes there; 0 unless these are replaced. */
  readonly replaced: number;
  /** What has other bytes there still. */
  readonly left: readonly Left[];
}

export interface CopyOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

interface SizedBlob {
  readonly id: string;
  readonly sizeBytes: number;
}

const atOnce = 8;

export interface Left {
  readonly id: string;
  /** `not-set-aside`: of the copy; `damaged`: the original has another SHA-256 than was written. */
  readonly reason: 'not-set-aside' | 'damaged';
}

interface Replacing {
  /** Keeps elsewhere what is about to be replaced; false where that cannot be: then it stays. */
  setAside(id: string): Promise<boolean>;
}

/**
 * Writes into a store what another has and it has not, or with another size. Each blob is there whole or not at all, so a copy
 * that was cut short resumes where it stopped. Of each blob in the target some 100 bytes are in memory. Nothing is deleted.
 * @param replacing given where every byte of both is read too, and what differs by SHA-256 is replaced
 */
export async function copyBlobs(
  from: Pick<BlobStore, 'list' | 'read'>,
  to: Pick<BlobStore, 'list' | 'read' | 'write'>,
  { signal, onProgress }: CopyOptions,
  replacing?: Replacing,
): Promise<Copied> {
  const there = await sizesIn(to);
  let [blobs, written, writtenBytes, replaced] = [0, 0, 0, 0];
  const left: Left[] = [];
  const isDue = async ({ id, sizeBytes }: SizedBlob): Promise<boolean> => {
    const size = there.get(id);
    if (size === undefined || replacing === undefined) return size !== sizeBytes;
    const original = await digestOf(from, id);
    // It was deleted meanwhile.
    if (original === null) return false;
    if (size === sizeBytes && original.sha256 === (await digestOf(to, id))?.sha256) return false;
    if (original.isDamaged) left.push({ id, reason: 'damaged' });
    else if (await replacing.setAside(id)) {
      replaced += 1;
      return true;
    } else left.push({ id, reason: 'not-set-aside' });
    return false;
  };
  const copy = async (blob: SizedBlob): Promise<void> => {
    signal.throwIfAborted();
    if (!(await isDue(blob))) return;
    const found = await from.read(blob.id);
    // It was deleted meanwhile.
    if (found === null) return;
    const bytes = await to.write(blob.id, found.stream);
    // After the wait, since others are copied meanwhile.
    writtenBytes += bytes;
    written += 1;
    onProgress?.(blobs);
  };
  for await (const batch of batchesOf(from.list(), batchSize)) {
    blobs += batch.length;
    await forEachLimited(batch, atOnce, copy);
    onProgress?.(blobs);
  }
  return { blobs, written, writtenBytes, replaced, left };
}

/** What is wrong with a copy of a store. */
interface Differences {
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
      else if (isContentRead && !(await areEqual(from, copy, id))) different.push(id);
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

async function areEqual(one: ReadStore, other: ReadStore, id: string): Promise<boolean> {
  return (await digestOf(one, id))?.sha256 === (await digestOf(other, id))?.sha256;
}

/** In hexadecimal digits, and whether another was written beside it; null where there is no such blob. */
async function digestOf(
  store: ReadStore,
  id: string,
): Promise<{ readonly sha256: string; readonly isDamaged: boolean } | null> {
  const found = await store.read(id);
  if (found === null) return null;
  const hash = createHash('sha256');
  for await (const piece of found.stream) hash.update(piece);
  const sha256 = hash.digest('hex');
  return { sha256, isDamaged: (found.sha256 ?? sha256) !== sha256 };
}

type ReadStore = Pick<BlobStore, 'read'>;

const batchSize = 500;
