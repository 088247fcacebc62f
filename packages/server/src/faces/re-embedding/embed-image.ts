import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError, type Priority } from '@lynceus/engine';
import { ServiceError } from '../../core/service-error.js';
import type { NotEmbeddedReason } from '../../storage/tables/perceptions.js';
import { faceAt } from '../face-at.js';
import type { FacesSeen, LookAtFaces } from '../look-at-faces.js';
import type { HoldFaceImage } from './hold-stored-image.js';
import type { EmbeddedImage, ImageToEmbed } from './stored-embeddings.js';

type EmbeddingOutcome = EmbeddedImage | { readonly reason: NotEmbeddedReason };

/**
 * Describes the face of a stored image: the one that is where the image's face is, be it the largest or not. Waits while
 * the service is busy with people. Throws when no image can be described, such as for want of a model.
 */
export type EmbedImage = (
  image: ImageToEmbed,
  by: { readonly accountId: number; readonly embedder: string },
  signal: AbortSignal,
) => Promise<EmbeddingOutcome>;

interface EmbedImageDeps {
  readonly holdImage: HoldFaceImage;
  readonly lookAtFaces: LookAtFaces;
  /** Before a busy service is asked again; a second unless given. */
  readonly busyMs?: number;
}

const priority: Priority = 'background';
/** One failure may be the process's own end; the second one is the image's fault. */
const maxFailures = 2;

export function createEmbedImage(deps: EmbedImageDeps): EmbedImage {
  const { holdImage, lookAtFaces, busyMs = 1000 } = deps;

  const look = async (
    { blobId }: ImageToEmbed,
    by: Parameters<EmbedImage>[1],
    signal: AbortSignal,
  ): Promise<FacesSeen | 'image-missing'> => {
    const image = await holdImage(blobId, signal);
    if (image === null) return 'image-missing';
    try {
      return await lookAtFaces(image.source, { ...by, liveness: false, signal, priority });
    } finally {
      await image.dispose();
    }
  };

  return async (image, by, signal) => {
    for (let failures = 0; ; ) {
      signal.throwIfAborted();
      try {
        const seen = await look(image, by, signal);
        if (seen === 'image-missing') return { reason: seen };
        if (seen.faces.length === 0) return { reason: 'no-face' };
        const face = faceAt(seen.faces, image.face.box);
        if (face === null) return { reason: 'other-face' };
        return { vector: face.embedding, quality: face.quality };
      } catch (error) {
        signal.throwIfAborted();
        switch (judge(error)) {
          case 'fatal':
            throw error;
          case 'damaged':
            return { reason: 'image-damaged' };
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

/** What the fault says of the image, or of the moment. */
function judge(error: unknown): 'fatal' | 'damaged' | 'busy' | 'failed' {
  if (!(error instanceof ServiceError)) return 'fatal';
  const { code, cause } = error;
  if (['unsupported_image', 'file_too_large', 'no_file'].includes(code)) return 'damaged';
  if (!(cause instanceof EngineError)) return code === 'service_busy' ? 'busy' : 'fatal';
  if (cause.code === 'model-missing') return 'fatal';
  return cause.code === 'busy' ? 'busy' : 'failed';
}
