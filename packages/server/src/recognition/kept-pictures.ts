import type { PictureKind, PictureSource } from '@lynceus/engine';
import type { Reservation } from '../accounts/accounts.js';
import { readPictureContent } from '../intake/picture-content.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';

export interface KeptPicture {
  readonly kind: PictureKind;
  readonly sizeBytes: number;
}

/** Keeps the picture of a call, as it came, under its `fileid`. Null when pictures are not kept. */
export type KeepPicture = (
  reservation: Reservation,
  picture: { readonly fileid: string; readonly kind: PictureKind; readonly source: PictureSource },
) => Promise<KeptPicture | null>;

export function createPictureKeeper(options: {
  readonly pictures: Pick<BlobStore, 'write'>;
  readonly keepPictures: boolean;
}): KeepPicture {
  const { pictures, keepPictures } = options;
  return async ({ caller }, { fileid, kind, source }) => {
    // Without its result nobody could ask for it.
    if (!keepPictures || caller.resultDays === 0) return null;
    return { kind, sizeBytes: await pictures.write(fileid, readPictureContent(source)) };
  };
}

/** A picture is written before the row that names it: a young one without a row may be about to get it. */
const orphanAgeMs = 3_600_000;
const batchSize = 500;

/** Deletes pictures that no analysis names: of a service killed before it recorded or after it forgot. Answers how many. */
export async function sweepOrphanPictures(
  { query }: Pick<Database, 'query'>,
  pictures: Pick<BlobStore, 'list' | 'remove'>,
  nowMs: number,
): Promise<number> {
  let swept = 0;
  const sweep = async (ids: readonly string[]) => {
    const rows = await query.selectFrom('analysis').select('fileid').where('fileid', 'in', ids).execute();
    const named = new Set(rows.map(({ fileid }) => fileid));
    for (const id of ids) {
      if (named.has(id)) continue;
      await pictures.remove(id);
      swept += 1;
    }
  };
  let batch: string[] = [];
  for await (const { id, writtenMs } of pictures.list()) {
    if (writtenMs > nowMs - orphanAgeMs) continue;
    batch.push(id);
    if (batch.length < batchSize) continue;
    await sweep(batch);
    batch = [];
  }
  if (batch.length > 0) await sweep(batch);
  return swept;
}
