import type { ImageRegion, ModelRunner } from '@lynceus/engine';
import { toServiceError } from '../../core/engine-errors.js';
import type { PermitRequest, WithPermit } from '../../core/fair-semaphore.js';
import { ServiceError } from '../../core/service-error.js';
import { type BlobStore, withFile } from '../blobs/blob-store.js';
import type { DiskGuard } from '../disk-guard.js';
import type { ThumbnailCache } from './thumbnail-cache.js';
import type { ImageRef } from './thumbnail-files.js';

/** Pixels of the longer side. */
export const thumbnailWidths = [64, 160, 320, 640, 1280] as const;

export interface ThumbnailRequest {
  readonly image: ImageRef;
  /** One of `thumbnailWidths`. */
  readonly widthPx: number;
  /** A word of `a-z 0-9 -` that differs when there is something else to be seen under the same id. */
  readonly variant?: string;
  /** The whole image when absent. */
  readonly region?: ImageRegion;
}

/** An image whose row was there a moment ago. */
export interface ImageLocation {
  /** Null when it is deleted, or lies with another service. */
  withFile<T>(work: (path: string) => Promise<T>): Promise<T | null>;
  /** Whether it is there still. */
  isThere(): Promise<boolean>;
  /** A file of what is to be seen in it, where that is not the file itself; for raw photographs. */
  preview?(
    path: string,
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly dispose: () => Promise<void> }>;
}

/** Of an image among blobs. */
export function locationOf(blobs: Pick<BlobStore, 'hold' | 'sizeOf'>, id: string): ImageLocation {
  return {
    withFile: (work) => withFile(blobs, id, work),
    isThere: async () => (await blobs.sizeOf(id)) !== null,
  };
}

/** Small copies of images, as JPEG without metadata, made on request and cached. */
export type Thumbnails = ReturnType<typeof createThumbnails>;

export interface ThumbnailsDeps {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly cache: Pick<ThumbnailCache, 'read' | 'write' | 'forget'>;
  readonly disk: Pick<DiskGuard, 'require'>;
  readonly withPermit: WithPermit;
  readonly maxPixels: number;
}

export function createThumbnails({ runner, cache, disk, withPermit, maxPixels }: ThumbnailsDeps) {
  const decode = async ({ widthPx, region }: ThumbnailRequest, path: string, by: PermitRequest) => {
    const options = { maxSidePx: widthPx, ...(region ? { region } : {}) };
    const { results } = await runner
      .analyse(
        {
          source: { kind: 'file', path },
          limits: { maxPixels },
          tasks: [{ task: 'thumbnail', options }],
        },
        { priority: 'background', owner: String(by.accountId), signal: by.signal },
      )
      .catch((error: unknown) => {
        throw toServiceError(error);
      });
    if (!results.thumbnail) throw new ServiceError('internal_error', 'no thumbnail was made');
    return Buffer.from(results.thumbnail.jpeg);
  };

  /** A full disk, or one that cannot be written, costs the next one time and this one nothing. */
  const keep = async ({ image, ...wanted }: ThumbnailRequest, location: ImageLocation, jpeg: Buffer) => {
    try {
      await disk.require(jpeg.byteLength);
      await cache.write(image, nameOf(wanted), jpeg);
    } catch {
      return;
    }
    // It may have been deleted meanwhile; whoever deletes it from now on finds the thumbnail.
    if (!(await location.isThere())) await cache.forget(image);
  };

  return {
    /**
     * Throws `not_found` when the image is there no longer, `unsupported_image` when it cannot be looked at, and
     * `service_busy`.
     */
    async make(wanted: ThumbnailRequest, location: ImageLocation, by: PermitRequest): Promise<Buffer> {
      const name = nameOf(wanted);
      const kept = await cache.read(wanted.image, name);
      if (kept !== null) return kept;
      return withPermit(by, async () => {
        // An earlier request may have made the same.
        const madeMeanwhile = await cache.read(wanted.image, name);
        if (madeMeanwhile !== null) return madeMeanwhile;
        const jpeg = await location.withFile(async (path) => {
          const shown = await location.preview?.(path, by.signal);
          try {
            return await decode(wanted, shown?.path ?? path, by);
          } finally {
            await shown?.dispose();
          }
        });
        if (jpeg === null) throw gone();
        await keep(wanted, location, jpeg);
        return jpeg;
      });
    },
  };
}

/** A word for the thumbnail among those of its image; it changes with what is to be seen. */
export function nameOf({ widthPx, variant }: Pick<ThumbnailRequest, 'widthPx' | 'variant'>): string {
  return variant === undefined ? String(widthPx) : `${widthPx}-${variant}`;
}

function gone(): ServiceError {
  return new ServiceError('not_found', 'the image is there no longer, or lies with another service');
}
