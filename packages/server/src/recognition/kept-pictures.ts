import type { PictureKind, PictureSource } from '@lynceus/engine';
import type { Reservation } from '../accounts/accounts.js';
import { readPictureContent } from '../intake/picture-content.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { sweepOrphanBlobs } from '../storage/blobs/sweep-orphans.js';
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

/** Deletes pictures that no analysis names; answers how many. */
export function sweepOrphanPictures(
  { query }: Pick<Database, 'query'>,
  pictures: Pick<BlobStore, 'list' | 'remove'>,
  nowMs: number,
): Promise<number> {
  const namesOf = async (ids: readonly string[]) => {
    const rows = await query.selectFrom('analysis').select('fileid').where('fileid', 'in', ids).execute();
    return rows.map(({ fileid }) => fileid);
  };
  return sweepOrphanBlobs(pictures, namesOf, nowMs);
}
