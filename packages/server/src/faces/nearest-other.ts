import { figuresOf } from './embedder-figures.js';
import type { Examination } from './enrolment-checks.js';
import type { FaceIndex } from './index/face-index.js';
import { isMatch, toSimilarity } from './matching.js';
import type { People } from './people.js';
import type { Perception } from './perception.js';

export interface NearestOtherDeps {
  readonly people: Pick<People, 'find'>;
  readonly index: Pick<FaceIndex, 'nearestPeople'>;
}

/** The person of a perception who looks most like a face, this one person left out. */
export async function findNearestOther(
  { people, index }: NearestOtherDeps,
  accountId: number,
  perception: Perception,
  embedding: Float32Array,
  personId: number | undefined,
): Promise<Examination['other']> {
  const gallery = { accountId, perceptionId: perception.id, embedder: perception.embedder };
  const nearest = await index.nearestPeople(gallery, embedding, { people: 2 });
  const other = nearest.find((near) => near.personId !== personId);
  const name = other && (await people.find(accountId, other.personId))?.name;
  if (other === undefined || name === undefined) return undefined;
  const calibration = perception.calibration ?? figuresOf(perception.embedder).calibration;
  const similarity = toSimilarity(other.cosine, calibration);
  return { cosine: other.cosine, name, isMatch: isMatch(similarity, perception.decisionSimilarity) };
}
