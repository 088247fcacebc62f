import { setTimeout as sleep } from 'node:timers/promises';
import {
  EngineError,
  type ModelRunner,
  type PictureKind,
  type PictureSource,
  type Priority,
} from '@lynceus/engine';

export interface SeenPicture {
  readonly kind: PictureKind;
  /** As it is meant to be seen. */
  readonly width: number;
  readonly height: number;
  readonly fingerprint: string;
}

export type RefusedPicture = {
  readonly problem: 'not-a-picture' | 'unreadable' | 'too-large';
  readonly message: string;
};

/** What a picture is, found by an inference process; or why it cannot be used. */
export type LookAtPicture = (
  source: PictureSource,
  options: { readonly priority: Priority; readonly owner?: string; readonly signal: AbortSignal },
) => Promise<SeenPicture | RefusedPicture>;

const firstWaitMs = 100;
const longestWaitMs = 2000;

export function createLookAtPicture({
  runner,
  maxPixels,
}: {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly maxPixels: number;
}): LookAtPicture {
  const look = async (source: PictureSource, options: Parameters<LookAtPicture>[1]): Promise<SeenPicture> => {
    const job = { source, limits: { maxPixels }, tasks: [{ task: 'fingerprint', options: {} }] } as const;
    const { picture, results } = await runner.analyse(job, options);
    if (!results.fingerprint) throw new Error('an inference process answered without a fingerprint');
    return { ...picture, ...results.fingerprint };
  };
  return async (source, options) => {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
      try {
        return await look(source, options);
      } catch (error) {
        options.signal.throwIfAborted();
        if (!(error instanceof EngineError)) throw error;
        // Many pictures are looked at one after the other; that somebody else is first for now spoils none of them.
        if (error.code === 'busy') await sleep(waitMs, undefined, { signal: options.signal });
        else return refusalOf(error, maxPixels);
      }
    }
  };
}

function refusalOf(error: EngineError, maxPixels: number): RefusedPicture {
  switch (error.code) {
    case 'picture-unsupported':
      return {
        problem: 'not-a-picture',
        message: 'it is no JPEG, PNG, WebP, GIF, TIFF, AVIF, HEIC or BMP',
      };
    case 'picture-empty':
      return { problem: 'unreadable', message: 'it is empty' };
    case 'picture-corrupt':
      return { problem: 'unreadable', message: 'it is truncated or damaged' };
    case 'picture-too-large':
      return { problem: 'too-large', message: `it has more than ${maxPixels} pixels` };
    case 'process-lost':
    case 'memory':
    case 'timeout':
      return { problem: 'unreadable', message: 'it took an inference process down, or too long' };
    default:
      throw error;
  }
}
