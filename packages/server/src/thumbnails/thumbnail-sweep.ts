import type { ThumbnailCache } from './thumbnail-cache.js';
import type { ImageOwner } from './thumbnail-files.js';

export interface ThumbnailSweep {
  sweep(): Promise<void>;
}

/**
 * Removes thumbnails whose images a killed service or another process deleted, and what is over the limit.
 * @param locate by owner, null for an image that there is no longer
 */
export function createThumbnailSweep(
  cache: Pick<ThumbnailCache, 'sweep'>,
  locate: Readonly<Record<ImageOwner, (id: string) => Promise<string | null>>>,
): ThumbnailSweep {
  return { sweep: () => cache.sweep(async ({ owner, id }) => (await locate[owner](id)) !== null) };
}
