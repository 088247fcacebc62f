import type { ImageSource } from '@lynceus/engine';
import type { Corrections } from './corrections.js';
import { dotProduct } from './dot-product.js';
import { figuresOf } from './embedder-figures.js';
import type { FaceImages, StoredFaceImage } from './face-images.js';
import type { FaceIndex, GalleryRef } from './index/face-index.js';
import type { EmbeddedFace, FacesSeen, LookAtFaces } from './look-at-faces.js';
import { isMatch, type Judgement, judge, toSimilarity } from './matching.js';
import type { People, Person } from './people.js';
import type { Perception } from './perception.js';

/** A person a face may be. */
export interface Candidate {
  readonly person: Person;
  /** The most similar image of the person. */
  readonly image: StoredFaceImage;
  readonly cosine: number;
  /** 0 to 1, calibrated; one half is the usual decision point. */
  readonly similarity: number;
  /** Whether the similarity reaches the perception's decision point. */
  readonly isMatch: boolean;
}

/** Who a vector may be. */
export interface VectorMatch {
  /** Best first, one a person, at most ten; those below the decision point too. */
  readonly candidates: readonly Candidate[];
  /** Of the best candidate; null in an empty perception. */
  readonly judgement: Judgement | null;
}

export interface SearchedFace extends VectorMatch {
  readonly face: EmbeddedFace;
}

export interface SearchResult extends Omit<FacesSeen, 'faces'> {
  /** The largest first. */
  readonly faces: readonly SearchedFace[];
}

export interface FaceSearch {
  /** Throws `unsupported_image`, `service_busy` and others. */
  search(
    accountId: number,
    perception: Perception,
    asked: {
      readonly source: ImageSource;
      /** This person alone. */
      readonly personId?: number | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<SearchResult>;
  /** Candidates of faces that were described already, by the perception's embedder. */
  match(
    accountId: number,
    perception: Perception,
    faces: readonly EmbeddedFace[],
    personId?: number,
  ): Promise<readonly SearchedFace[]>;
  /** The same of vectors alone. */
  matchVectors(
    accountId: number,
    perception: Perception,
    vectors: readonly Float32Array[],
    personId?: number,
  ): Promise<readonly VectorMatch[]>;
}

export interface SearchDeps {
  readonly lookAtFaces: LookAtFaces;
  readonly people: Pick<People, 'named' | 'count'>;
  readonly images: Pick<FaceImages, 'found'>;
  readonly corrections: Pick<Corrections, 'of'>;
  readonly index: Pick<FaceIndex, 'nearestPeople'>;
}

const maxCandidates = 10;

export function createFaceSearch(deps: SearchDeps): FaceSearch {
  const { lookAtFaces, people, images, corrections, index } = deps;

  const candidatesOf = async (
    gallery: GalleryRef,
    perception: Perception,
    embedding: Float32Array,
    personId: number | undefined,
  ): Promise<readonly Candidate[]> => {
    const { accountId } = gallery;
    const found = await index.nearestPeople(gallery, embedding, { people: maxCandidates, personId });
    const [persons, foundImages, rejected] = await Promise.all([
      people.named(
        accountId,
        found.map((near) => near.personId),
      ),
      images.found(
        accountId,
        found.map((near) => near.imageId),
      ),
      corrections.of(
        accountId,
        perception.embedder,
        found.map((near) => near.personId),
      ),
    ]);
    const calibration = perception.calibration ?? figuresOf(perception.embedder).calibration;
    return found.flatMap(({ personId: id, imageId, cosine }) => {
      const [person, image] = [persons.get(id), foundImages.get(imageId)];
      // Deleted since the index was asked.
      if (!person || !image) return [];
      // More like a face that a correction excludes for this person than like the person.
      if (rejected.get(id)?.some((vector) => dotProduct(vector, embedding) > cosine)) return [];
      const similarity = toSimilarity(cosine, calibration);
      return [
        { person, image, cosine, similarity, isMatch: isMatch(similarity, perception.decisionSimilarity) },
      ];
    });
  };

  const matchVectors: FaceSearch['matchVectors'] = async (accountId, perception, vectors, personId) => {
    const gallery = { accountId, perceptionId: perception.id, embedder: perception.embedder };
    const { falseMatch, calibration: usual } = figuresOf(perception.embedder);
    const calibration = perception.calibration ?? usual;
    const { decisionSimilarity } = perception;
    const size = await people.count(accountId, perception.id);
    return Promise.all(
      vectors.map(async (vector) => {
        const candidates = await candidatesOf(gallery, perception, vector, personId);
        const [best, second] = candidates;
        const options = { calibration, decisionSimilarity, people: size, falseMatch };
        return { candidates, judgement: best ? judge(best.cosine, second?.cosine, options) : null };
      }),
    );
  };

  const match: FaceSearch['match'] = async (accountId, perception, faces, personId) => {
    const vectors = faces.map(({ embedding }) => embedding);
    const matches = await matchVectors(accountId, perception, vectors, personId);
    return matches.flatMap((found, index) => {
      const face = faces[index];
      return face ? [{ face, ...found, judgement: found.judgement && judgeFace(face, found.judgement) }] : [];
    });
  };

  return {
    match,
    matchVectors,
    async search(accountId, perception, { source, personId, signal }) {
      const { embedder, wantsLiveness: liveness } = perception;
      const { faces, ...seen } = await lookAtFaces(source, { embedder, liveness, accountId, signal });
      return { ...seen, faces: await match(accountId, perception, faces, personId) };
    },
  };
}

/** A face whose landmarks are in doubt is aligned by chance, and its similarity to a person means little. */
function judgeFace({ quality }: EmbeddedFace, judgement: Judgement): Judgement {
  const isDoubtful = judgement.verdict === 'match' && quality.problems.includes('landmarks-implausible');
  return isDoubtful ? { ...judgement, verdict: 'unsure' } : judgement;
}
