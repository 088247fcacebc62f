import type { ImageSource, ModelRunner } from '@lynceus/engine';
import { toServiceError } from '../../core/engine-errors.js';
import type { PermitRequest, WithPermit } from '../../core/fair-semaphore.js';
import { ServiceError } from '../../core/service-error.js';

/** An image as a page can show it, and how large the one is that was given: boxes are in pixels of that. */
export interface Preview {
  /** Upright, without metadata. */
  readonly jpeg: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Makes previews of images that nobody keeps. Throws `unsupported_image` and what else an analysis throws of an image, and
 * `service_busy`.
 */
export type MakePreview = (source: ImageSource, maxSidePx: number, by: PermitRequest) => Promise<Preview>;

export function createMakePreview({
  runner,
  withPermit,
  maxPixels,
}: {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly withPermit: WithPermit;
  readonly maxPixels: number;
}): MakePreview {
  return (source, maxSidePx, by) =>
    withPermit(by, async () => {
      const { image, results } = await runner
        .analyse(
          { source, limits: { maxPixels }, tasks: [{ task: 'thumbnail', options: { maxSidePx } }] },
          { priority: 'background', owner: String(by.accountId), signal: by.signal },
        )
        .catch((error: unknown) => {
          throw toServiceError(error);
        });
      if (!results.thumbnail) throw new ServiceError('internal_error', 'no preview was made');
      const { width, height } = image;
      return { jpeg: Buffer.from(results.thumbnail.jpeg), width, height };
    });
}
