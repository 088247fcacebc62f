import type { ImageSource } from '@lynceus/engine';
import type { Database } from '../storage/database.js';
import { dotProduct } from './dot-product.js';
import { figuresOf } from './embedder-figures.js';
import type { EmbeddedFace, FacesSeen, LookAtFaces } from './look-at-faces.js';
import { toSimilarity } from './matching.js';
import type { Perception } from './perception.js';
import { readStoredVector } from './stored-vector.js';

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
      similarity: (one, other) => toSimilarity(dotProduct(one.embedding, other.embedding), calibration),
    };
  };
}

/** Faces of an image, compared with the one of a stored image. */
export interface ComparedWithImage {
  readonly seen: FacesSeen;
  /** 0 to 1, calibrated; one half is the usual decision point. */
  similarity(face: EmbeddedFace): number;
}

/** The same with an image of the perception, whose vector there is. Throws `not_found` and what looking throws. */
export type CompareWithImage = (
  accountId: number,
  perception: Pick<Perception, 'embedder' | 'calibration'>,
  imageId: number,
  image: { readonly source: ImageSource; readonly signal: AbortSignal },
) => Promise<ComparedWithImage>;

export function createCompareWithImage({
  database,
  lookAtFaces,
}: {
  readonly database: Pick<Database, 'query'>;
  readonly lookAtFaces: LookAtFaces;
}): CompareWithImage {
  return async (accountId, { embedder, calibration }, imageId, { source, signal }) => {
    const seen = await lookAtFaces(source, { embedder, liveness: false, accountId, signal });
    const vector = await readStoredVector(database, accountId, imageId, embedder);
    const curve = calibration ?? figuresOf(embedder).calibration;
    return { seen, similarity: ({ embedding }) => toSimilarity(dotProduct(embedding, vector), curve) };
  };
}
