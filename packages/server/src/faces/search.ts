import type { ImageSource } from '@lynceus/engine';
import type { Database } from '../storage/database.js';
import type { Corrections } from './corrections.js';
import { ruleOf } from './decision-rule.js';
import { isDegraded, isPairDegraded } from './degraded.js';
import { dotProduct } from './dot-product.js';
import { figuresOf } from './embedder-figures.js';
import type { FaceImages, StoredFaceImage } from './face-images.js';
import type { FaceIndex, GalleryRef } from './index/face-index.js';
import type { EmbeddedFace, FacesSeen, LookAtFaces } from './look-at-faces.js';
import { isMatch, type Judgement, judge, type Likeness, toCountedCosine, toSimilarity } from './matching.js';
import { findNearestClearImage } from './nearest-clear-image.js';
import type { People, Person } from './people.js';
import type { Perception } from './perception.js';

/** A person a face may be. */
export interface Candidate {
  readonly person: Person;
  /** The most similar image of the person. */
  readonly image: StoredFaceImage;
  readonly likeness: Likeness;
  /** 0 to 1, calibrated; one half is the usual decision point. That of degraded faces ends below the perception's. */
  readonly similarity: number;
  /** Whether the similarity reaches the perception's decision point. */
  readonly isMatch: boolean;
}

/** A face as far as its likeness to others is concerned. */
type ComparableFace = Pick<EmbeddedFace, 'embedding' | 'quality'>;

export interface SearchedFace<Searched extends ComparableFace = EmbeddedFace> {
  readonly face: Searched;
  /** Best first, one a person, at most ten; those below the decision point too. */
  readonly candidates: readonly Candidate[];
  /** Of the best candidate; null in an empty perception. */
  readonly judgement: Judgement | null;
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
      /** Whether the image was cut to one face before: then it shows one, its largest or the whole image. */
      readonly isCropped?: boolean;
      readonly signal: AbortSignal;
    },
  ): Promise<SearchResult>;
  /** Candidates of faces that were described already, by the perception's embedder. */
  match<Searched extends ComparableFace>(
    accountId: number,
    perception: Perception,
    faces: readonly Searched[],
    personId?: number,
  ): Promise<readonly SearchedFace<Searched>[]>;
}

interface SearchDeps {
  readonly database: Pick<Database, 'query'>;
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
    { embedding, quality }: ComparableFace,
    personId: number | undefined,
  ): Promise<readonly Candidate[]> => {
    const { accountId } = gallery;
    const nearest = await index.nearestPeople(gallery, embedding, { people: maxCandidates, personId });
    const personIds = nearest.map((near) => near.personId);
    const [persons, nearestImages, rejected] = await Promise.all([
      people.named(accountId, personIds),
      images.found(
        accountId,
        nearest.map(({ imageId }) => imageId),
      ),
      corrections.of(accountId, perception.embedder, personIds),
    ]);
    const isProbeDegraded = isDegraded(quality);
    const rule = ruleOf(perception);
    const { decisionSimilarity, calibration, doubtfulCosine } = rule;
    const candidates = await Promise.all(
      nearest.map(async ({ personId: id, imageId, cosine }): Promise<Candidate | null> => {
        const [person, image] = [persons.get(id), nearestImages.get(imageId)];
        // Deleted since the index was asked.
        if (!person || !image) return null;
        const isEitherDegraded = isPairDegraded(quality, image.face.quality, { cosine, doubtfulCosine });
        const clear =
          isEitherDegraded && !isProbeDegraded
            ? await findNearestClearImage(
                deps,
                { accountId, personId: id, embedder: gallery.embedder },
                { embedding, quality },
              )
            : null;
        const likenesses = [
          { image, likeness: { cosine, isDegraded: isEitherDegraded } },
          ...(clear === null
            ? []
            : [{ image: clear.image, likeness: { cosine: clear.cosine, isDegraded: false } }]),
        ];
        const [best] = likenesses
          .map((one) => ({ ...one, counted: toCountedCosine(one.likeness, rule) }))
          .sort((a, b) => b.counted - a.counted);
        if (best === undefined) return null;
        // More like a face that a correction excludes for this person than like the image that decides.
        const isExcluded = rejected
          .get(id)
          ?.some((vector) => dotProduct(vector, embedding) > best.likeness.cosine);
        if (isExcluded) return null;
        const similarity = toSimilarity(best.counted, calibration);
        return {
          person,
          image: best.image,
          likeness: best.likeness,
          similarity,
          isMatch: !best.likeness.isDegraded && isMatch(similarity, decisionSimilarity),
        };
      }),
    );
    return candidates.filter((candidate) => candidate !== null).sort(byLikeness);
  };

  const match: FaceSearch['match'] = async (accountId, perception, faces, personId) => {
    const gallery = { accountId, perceptionId: perception.id, embedder: perception.embedder };
    const { falseMatch, degradedFalseMatch } = figuresOf(perception.embedder);
    const size = await people.count(accountId, perception.id);
    return Promise.all(
      faces.map(async (face) => {
        const candidates = await candidatesOf(gallery, perception, face, personId);
        const [best, second] = candidates;
        const options = { ...ruleOf(perception), people: size, falseMatch, degradedFalseMatch };
        return {
          face,
          candidates,
          judgement: best ? judge(best.likeness, second?.likeness, options) : null,
        };
      }),
    );
  };

  return {
    match,
    async search(accountId, perception, { source, personId, isCropped = false, signal }) {
      const { embedder, wantsLiveness: liveness } = perception;
      const options = { embedder, liveness, isCropped, accountId, signal };
      const { faces, ...seen } = await lookAtFaces(source, options);
      const searched = isCropped ? faces.slice(0, 1) : faces;
      return { ...seen, faces: await match(accountId, perception, searched, personId) };
    },
  };
}

/** By the similarity that counts, and among those that end below the decision point by the cosine. */
export function byLikeness(a: Candidate, b: Candidate): number {
  return b.similarity - a.similarity || b.likeness.cosine - a.likeness.cosine;
}
