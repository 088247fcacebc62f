import type { ThumbnailCache } from './thumbnail-cache.js';
import type { PictureOwner } from './thumbnail-files.js';

export interface ThumbnailSweep {
  sweep(): Promise<void>;
}

/**
 * Removes thumbnails whose pictures a killed service or somebody beside it deleted, and what is over the limit.
 * @param locate by owner, null for a picture that there is no longer
 */
export function createThumbnailSweep(
  cache: Pick<ThumbnailCache, 'sweep'>,
  locate: Readonly<Record<PictureOwner, (id: string) => Promise<string | null>>>,
): ThumbnailSweep {
  return { sweep: () => cache.sweep(async ({ owner, id }) => (await locate[owner](id)) !== null) };
}
