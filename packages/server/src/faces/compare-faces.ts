import type { ImageSource } from '@lynceus/engine';
import type { Database } from '../storage/database.js';
import { type PairRule, ruleOf } from './decision-rule.js';
import { isPairDegraded } from './degraded.js';
import { dotProduct } from './dot-product.js';
import type { StoredFaceImage } from './face-images.js';
import type { EmbeddedFace, FacesSeen, LookAtFaces } from './look-at-faces.js';
import { toCountedCosine, toSimilarity } from './matching.js';
import type { Perception } from './perception.js';
import { readStoredVector } from './stored-vector.js';

type RuledBy = Pick<Perception, 'embedder' | 'calibration' | 'decisionSimilarity'>;

/** Faces of two images, compared with each other. */
export interface ComparedFaces {
  readonly first: FacesSeen;
  readonly second: FacesSeen;
  /** 0 to 1, calibrated; one half is the usual decision point. That of degraded faces ends below the decision point. */
  similarity(a: EmbeddedFace, b: EmbeddedFace): number;
}

/**
 * Looks at two images with the embedder and the curve of a perception, or with those of new ones. Nothing is kept. Throws
 * `unsupported_image`, `service_busy` and others.
 */
type CompareFaces = (
  accountId: number,
  perception: RuledBy | null,
  images: { readonly first: ImageSource; readonly second: ImageSource; readonly signal: AbortSignal },
) => Promise<ComparedFaces>;

export function createCompareFaces(lookAtFaces: LookAtFaces, usualEmbedder: string): CompareFaces {
  return async (accountId, perception, { first, second, signal }) => {
    const embedder = perception?.embedder ?? usualEmbedder;
    const rule = ruleOf(perception ?? { embedder, calibration: null, decisionSimilarity: 0.5 });
    const look = (source: ImageSource) =>
      lookAtFaces(source, { embedder, liveness: false, accountId, signal });
    const [a, b] = await Promise.all([look(first), look(second)]);
    return {
      first: a,
      second: b,
      similarity: (one, other) => similarityOf(one, other, rule),
    };
  };
}

/** Faces of an image, compared with the one of a stored image. */
export interface ComparedWithImage {
  readonly seen: FacesSeen;
  /** As `ComparedFaces` has it. */
  similarity(face: EmbeddedFace): number;
}

/** The same with an image of the perception, whose vector there is. Throws `not_found` and what looking throws. */
type CompareWithImage = (
  accountId: number,
  perception: RuledBy,
  stored: Pick<StoredFaceImage, 'id' | 'face'>,
  image: { readonly source: ImageSource; readonly signal: AbortSignal },
) => Promise<ComparedWithImage>;

export function createCompareWithImage({
  database,
  lookAtFaces,
}: {
  readonly database: Pick<Database, 'query'>;
  readonly lookAtFaces: LookAtFaces;
}): CompareWithImage {
  return async (accountId, perception, { id, face }, { source, signal }) => {
    const { embedder } = perception;
    const seen = await lookAtFaces(source, { embedder, liveness: false, accountId, signal });
    const vector = await readStoredVector(database, accountId, id, embedder);
    const known = { embedding: vector, quality: face.quality };
    const rule = ruleOf(perception);
    return { seen, similarity: (one) => similarityOf(one, known, rule) };
  };
}

type Compared = Pick<EmbeddedFace, 'embedding'> & { readonly quality: Parameters<typeof isPairDegraded>[0] };

function similarityOf(one: Compared, other: Compared, rule: PairRule): number {
  const cosine = dotProduct(one.embedding, other.embedding);
  const { doubtfulCosine } = rule;
  const likeness = {
    cosine,
    isDegraded: isPairDegraded(one.quality, other.quality, { cosine, doubtfulCosine }),
  };
  return toSimilarity(toCountedCosine(likeness, rule), rule.calibration);
}
