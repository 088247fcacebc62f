import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError, type Priority } from '@lynceus/engine';
import { ServiceError } from '../../errors/service-error.js';
import type { UndescribedReason } from '../../storage/tables/perceptions.js';
import { faceAt } from '../face-at.js';
import type { FacesSeen, LookAtFaces } from '../look-at-faces.js';
import type { HoldStoredPicture } from './hold-stored-picture.js';
import type { ImageToDescribe } from './stored-descriptions.js';

export type Description = { readonly vector: Float32Array } | { readonly reason: UndescribedReason };

/**
 * Describes the face of a stored image: the one that is where the image's face is, be it the largest or not. Waits while
 * the service is busy with people. Throws when no picture can be described, such as for want of a model.
 */
export type DescribeImage = (
  image: ImageToDescribe,
  by: { readonly accountId: number; readonly embedder: string },
  signal: AbortSignal,
) => Promise<Description>;

export interface DescribeImageDeps {
  readonly holdPicture: HoldStoredPicture;
  readonly lookAtFaces: LookAtFaces;
  /** Before a busy service is asked again; a second unless given. */
  readonly busyMs?: number;
}

const priority: Priority = 'background';
/** One failure may be the process's own end; the second one is the picture's fault. */
const maxFailures = 2;

export function createDescribeImage(deps: DescribeImageDeps): DescribeImage {
  const { holdPicture, lookAtFaces, busyMs = 1000 } = deps;

  const look = async (
    { blobId }: ImageToDescribe,
    by: Parameters<DescribeImage>[1],
    signal: AbortSignal,
  ): Promise<FacesSeen | 'picture-missing'> => {
    const picture = await holdPicture(blobId, signal);
    if (picture === null) return 'picture-missing';
    try {
      return await lookAtFaces(picture.source, { ...by, liveness: false, signal, priority });
    } finally {
      await picture.dispose();
    }
  };

  return async (image, by, signal) => {
    for (let failures = 0; ; ) {
      signal.throwIfAborted();
      try {
        const seen = await look(image, by, signal);
        if (seen === 'picture-missing') return { reason: seen };
        if (seen.faces.length === 0) return { reason: 'no-face' };
        const face = faceAt(seen.faces, image.face.box);
        return face === null ? { reason: 'other-face' } : { vector: face.embedding };
      } catch (error) {
        signal.throwIfAborted();
        switch (judge(error)) {
          case 'fatal':
            throw error;
          case 'damaged':
            return { reason: 'picture-damaged' };
          case 'busy':
            await sleep(busyMs, undefined, { signal });
            break;
          case 'failed':
            failures += 1;
            if (failures === maxFailures) return { reason: 'analysis-failed' };
        }
      }
    }
  };
}

/** What the fault says of the picture, or of the moment. */
function judge(error: unknown): 'fatal' | 'damaged' | 'busy' | 'failed' {
  if (!(error instanceof ServiceError)) return 'fatal';
  const { code, cause } = error;
  if (['unsupported_image', 'file_too_large', 'no_file'].includes(code)) return 'damaged';
  if (!(cause instanceof EngineError)) return code === 'service_busy' ? 'busy' : 'fatal';
  if (cause.code === 'model-missing') return 'fatal';
  return cause.code === 'busy' ? 'busy' : 'failed';
}
