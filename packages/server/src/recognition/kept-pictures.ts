import type { PictureKind, PictureSource } from '@lynceus/engine';
import type { Reservation } from '../accounts/accounts.js';
import { readPictureContent } from '../intake/picture-content.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { SweptStore } from '../storage/quarantine/sweep-store.js';

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

/** Kept images, which rows of analyses name. */
export function sweptAnalysisImages(
  { query }: Pick<Database, 'query'>,
  { list, pathOf }: Pick<BlobStore, 'list' | 'pathOf'>,
): SweptStore {
  return {
    ...{ name: 'pictures', list, pathOf },
    async findNamed(ids) {
      const rows = await query.selectFrom('analysis').select('fileid').where('fileid', 'in', ids).execute();
      return new Set(rows.map(({ fileid }) => fileid));
    },
  };
}
