import type { ImageKind, ImageSource } from '@lynceus/engine';
import type { Reservation } from '../accounts/accounts.js';
import { readImageContent } from '../intake/image-content.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import type { Database } from '../storage/database.js';
import type { SweptStore } from '../storage/quarantine/sweep-store.js';
import { sweptFiles } from '../storage/quarantine/swept-files.js';

export interface KeptImage {
  readonly kind: ImageKind;
  readonly sizeBytes: number;
}

/** Keeps the image of a call, as it came, under its `fileid`. Null when images are not kept. */
export type KeepImage = (
  reservation: Reservation,
  image: { readonly fileid: string; readonly kind: ImageKind; readonly source: ImageSource },
) => Promise<KeptImage | null>;

export function createImageKeeper(options: {
  readonly imageFiles: Pick<BlobStore, 'write'>;
  readonly keepImages: boolean;
}): KeepImage {
  const { imageFiles, keepImages } = options;
  return async ({ caller }, { fileid, kind, source }) => {
    // Without its result no client could ask for it.
    if (!keepImages || caller.resultDays === 0) return null;
    return { kind, sizeBytes: await imageFiles.write(fileid, readImageContent(source)) };
  };
}

/** Kept images of analyses. */
export function sweptAnalysisImages(
  database: Pick<Database, 'query'>,
  files: Pick<BlobStore, 'list' | 'placeOf'>,
): SweptStore {
  return sweptFiles('images', database, files);
}
