import { setTimeout as sleep } from 'node:timers/promises';
import {
  EngineError,
  encodedKind,
  type ImageKind,
  type ImageSource,
  type ModelRunner,
  type Priority,
} from '@lynceus/engine';

export interface SeenImage {
  readonly kind: ImageKind;
  /** As it is meant to be seen. */
  readonly width: number;
  readonly height: number;
  /** Of Exif, 1 to 8: how its pixels are stored. */
  readonly orientation: number;
  readonly fingerprint: string;
}

export type RefusedImage = {
  readonly problem: 'not-an-image' | 'unreadable' | 'too-large';
  readonly message: string;
};

/** What an image is, found by an inference process; or why it cannot be used. */
export type LookAtImage = (
  source: ImageSource,
  options: { readonly priority: Priority; readonly owner?: string; readonly signal: AbortSignal },
) => Promise<SeenImage | RefusedImage>;

const firstWaitMs = 100;
const longestWaitMs = 2000;

export function createLookAtImage({
  runner,
  maxPixels,
}: {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly maxPixels: number;
}): LookAtImage {
  const look = async (source: ImageSource, options: Parameters<LookAtImage>[1]): Promise<SeenImage> => {
    const job = { source, limits: { maxPixels }, tasks: [{ task: 'fingerprint', options: {} }] } as const;
    const { image, results } = await runner.analyse(job, options);
    if (!results.fingerprint) throw new Error('an inference process answered without a fingerprint');
    return { orientation: 1, ...image, kind: encodedKind(image), ...results.fingerprint };
  };
  return async (source, options) => {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      try {
        return await look(source, options);
      } catch (error) {
        options.signal.throwIfAborted();
        if (!(error instanceof EngineError)) throw error;
        // Many images are looked at one after the other; that another request goes first delays none for long.
        if (error.code === 'busy') await sleep(waitMs, undefined, { signal: options.signal });
        else return refusalOf(error, maxPixels);
      }
    }
  };
}

function refusalOf(error: EngineError, maxPixels: number): RefusedImage {
  switch (error.code) {
    case 'image-unsupported':
      return {
        problem: 'not-an-image',
        message: 'it is no JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC or BMP',
      };
    case 'image-empty':
      return { problem: 'unreadable', message: 'it is empty' };
    case 'image-corrupt':
      return { problem: 'unreadable', message: 'it is truncated or damaged' };
    case 'image-too-large':
      return { problem: 'too-large', message: `it has more than ${maxPixels} pixels` };
    case 'image-too-complex':
      return { problem: 'unreadable', message: error.message };
    case 'process-crashed':
    case 'memory':
    case 'timeout':
      return { problem: 'unreadable', message: 'it took an inference process down, or too long' };
    default:
      throw error;
  }
}
