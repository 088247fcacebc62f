import type { ImageSource } from '@lynceus/engine';
import { figuresOf } from './embedder-figures.js';
import type { EmbeddedFace, FacesSeen, LookAtFaces } from './look-at-faces.js';
import { toSimilarity } from './matching.js';
import type { Perception } from './perception.js';

/** Faces of two images, compared with each other. */
export interface ComparedFaces {
  readonly first: FacesSeen;
  readonly second: FacesSeen;
  /** 0 to 1, calibrated; one half is the usual decision point. */
  similarity(a: EmbeddedFace, b: EmbeddedFace): number;
}

/**
 * Looks at two images with the embedder and the curve of a perception, or with those of new ones. Nothing is kept. Throws
 * `unsupported_image`, `service_busy` and others.
 */
export type CompareFaces = (
  accountId: number,
  perception: Pick<Perception, 'embedder' | 'calibration'> | null,
  images: { readonly first: ImageSource; readonly second: ImageSource; readonly signal: AbortSignal },
) => Promise<ComparedFaces>;

export function createCompareFaces(lookAtFaces: LookAtFaces, usualEmbedder: string): CompareFaces {
  return async (accountId, perception, { first, second, signal }) => {
    const embedder = perception?.embedder ?? usualEmbedder;
    const calibration = perception?.calibration ?? figuresOf(embedder).calibration;
    const look = (source: ImageSource) =>
      lookAtFaces(source, { embedder, liveness: false, accountId, signal });
    const [a, b] = await Promise.all([look(first), look(second)]);
    return {
      first: a,
      second: b,
      // Vectors have unit length.
      similarity: (one, other) =>
        toSimilarity(
          one.embedding.reduce((sum, value, at) => sum + value * (other.embedding[at] ?? 0), 0),
          calibration,
        ),
    };
  };
}
