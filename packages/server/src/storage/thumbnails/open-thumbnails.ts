import { createFairSemaphore } from '../../core/fair-semaphore.js';
import { createMakePreview, type MakePreview } from './previews.js';
import { createThumbnailCache, type ThumbnailCache } from './thumbnail-cache.js';
import { openThumbnailFiles } from './thumbnail-files.js';
import { createThumbnails, type Thumbnails, type ThumbnailsDeps } from './thumbnails.js';

/** A page asks for some hundred at once; whoever asks for more than these has no person before them. */
const maxWaiting = 1000;

/** Thumbnails of all images, what was made of them before, and previews of images that nobody keeps. */
export async function openThumbnails({
  dir,
  maxBytes,
  processes,
  mayServiceBeRunning = false,
  ...deps
}: Omit<ThumbnailsDeps, 'cache' | 'withPermit'> & {
  readonly dir: string;
  readonly maxBytes: number;
  /** Inference processes; at most half of them make thumbnails, so that predictions find another. */
  readonly processes: number;
  readonly mayServiceBeRunning?: boolean;
}): Promise<{
  readonly thumbnails: Thumbnails;
  readonly thumbnailCache: ThumbnailCache;
  readonly makePreview: MakePreview;
}> {
  const thumbnailCache = createThumbnailCache(
    await openThumbnailFiles(dir, { mayServiceBeRunning }),
    maxBytes,
  );
  const withPermit = createFairSemaphore({
    permits: Math.max(1, Math.floor(processes / 2)),
    maxWaiting,
    refusal: 'too many thumbnails are waiting; try again shortly',
  });
  return {
    thumbnails: createThumbnails({ ...deps, cache: thumbnailCache, withPermit }),
    thumbnailCache,
    makePreview: createMakePreview({ ...deps, withPermit }),
  };
}
