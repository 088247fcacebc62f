import type { ModelRunner, PictureSource } from '@lynceus/engine';
import { ServiceError } from '../errors/service-error.js';
import type { PlaceTaker, TakePlace } from '../fair-places.js';
import { toServiceError } from '../recognition/engine-errors.js';

/** A picture as a page can show it, and how large the one is that was given: boxes are in pixels of that. */
export interface Preview {
  /** Upright, without metadata. */
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Makes previews of pictures that nobody keeps. Throws `unsupported_image` and what else an analysis throws of a picture, and
 * `service_busy`.
 */
export type MakePreview = (source: PictureSource, maxSidePx: number, by: PlaceTaker) => Promise<Preview>;

export function createMakePreview({
  runner,
  takePlace,
  maxPixels,
}: {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly takePlace: TakePlace;
  readonly maxPixels: number;
}): MakePreview {
  return (source, maxSidePx, by) =>
    takePlace(by, async () => {
      const { picture, results } = await runner
        .analyse(
          { source, limits: { maxPixels }, tasks: [{ task: 'thumbnail', options: { maxSidePx } }] },
          { priority: 'background', owner: String(by.accountId), signal: by.signal },
        )
        .catch((error: unknown) => {
          throw toServiceError(error);
        });
      if (!results.thumbnail) throw new ServiceError('internal_error', 'no preview was made');
      const { width, height } = picture;
      return { jpeg: Buffer.from(results.thumbnail.jpeg), width, height };
    });
}
