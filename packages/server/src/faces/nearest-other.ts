import { ruleOf } from './decision-rule.js';
import { isDegraded } from './degraded.js';
import type { Examination } from './enrolment-checks.js';
import type { FaceImages } from './face-images.js';
import type { FaceIndex } from './index/face-index.js';
import { isMatch, toSimilarity } from './matching.js';
import type { People } from './people.js';
import type { Perception } from './perception.js';

interface NearestOtherDeps {
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
  return { cosine: other.cosine, name, isMatch: isMatchIn(perception, other.cosine) };
}

/** Whether a search of the perception takes faces of this likeness for one person. */
function isMatchIn(
  perception: Pick<Perception, 'embedder' | 'calibration' | 'decisionSimilarity'>,
  cosine: number,
): boolean {
  const { calibration, decisionSimilarity } = ruleOf(perception);
  return isMatch(toSimilarity(cosine, calibration), decisionSimilarity);
}

/** The nearest image of the same person, as the checks look at it. A degraded one is unlike every face: that is no finding. */
export async function judgeOwn(
  { images }: { readonly images: Pick<FaceImages, 'found'> },
  perception: Perception,
  nearest: { readonly imageId: number; readonly cosine: number } | undefined,
  accountId: number,
): Promise<Examination['own']> {
  if (nearest === undefined) return undefined;
  const { imageId, cosine } = nearest;
  const image = (await images.found(accountId, [imageId])).get(imageId);
  const isComparable = image !== undefined && !isDegraded(image.face.quality);
  return { cosine, isMatch: !isComparable || isMatchIn(perception, cosine) };
}
