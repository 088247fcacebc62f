import { setTimeout as sleep } from 'node:timers/promises';
import { type Box, EngineError } from '@lynceus/engine';
import { ServiceError } from '../../errors/service-error.js';
import { faceAt } from '../face-at.js';
import { type EnrolledFace, toEnrolledFace } from '../face-image.js';
import type { FacesSeen, LookAtFaces } from '../look-at-faces.js';
import { refuseArchive } from './format.js';

const busyWaitMs = 500;

export interface ReEmbedFaceDeps {
  readonly lookAtFaces: LookAtFaces;
  readonly accountId: number;
}

/**
 * The face of an image that the archive has at this box, as another embedder sees it; null where that finds none. Throws
 * `bad_request` for an image that cannot be read.
 */
export async function reEmbedFace(
  by: ReEmbedFaceDeps,
  image: Buffer,
  { box, embedder, signal }: { readonly box: Box; readonly embedder: string; readonly signal: AbortSignal },
): Promise<{ readonly face: EnrolledFace; readonly vector: Float32Array } | null> {
  const { width, height, faces } = await look(by, image, { embedder, signal });
  const face = faceAt(faces, box);
  return face && { face: toEnrolledFace({ width, height }, face), vector: face.embedding };
}

/** Waits while too many other images do: thousands were kept before this one. */
async function look(
  { lookAtFaces, accountId }: ReEmbedFaceDeps,
  image: Buffer,
  { embedder, signal }: { readonly embedder: string; readonly signal: AbortSignal },
): Promise<FacesSeen> {
  for (;;) {
    try {
      return await lookAtFaces(
        { kind: 'bytes', bytes: image },
        { embedder, liveness: false, accountId, signal },
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code === 'unsupported_image' || error.code === 'file_too_large') {
        throw refuseArchive('an image in it cannot be read', error);
      }
      // Not where the image took its process down: it would take the next one too.
      const isCrowded = error.cause instanceof EngineError && error.cause.code === 'busy';
      if (!isCrowded) throw error;
      await sleep(busyWaitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}
