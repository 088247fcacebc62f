import type { Image } from '../../image/image.js';
import type { LoadedModel } from '../task.js';
import type { Candidate } from './detect.js';
import { type FilteredCandidate, filterFaces } from './filter.js';

const turnsDeg = [90, -90, 180] as const;

interface OrientOptions {
  readonly filter: LoadedModel;
  /** Of faces that are turned, those whose points make sense. */
  readonly keepPlausible: (turned: readonly FilteredCandidate[]) => Promise<readonly FilteredCandidate[]>;
}

/**
 * Faces that the filter is not certain of are given to it rotated as well, in place: the detector finds faces
 * that are sideways or upside down too, without reporting it, and their points would be meaningless.
 * @param certain probability of the filter, 0 to 1, from which a face counts as upright
 */
export async function orientFaces(
  { filter, keepPlausible }: OrientOptions,
  image: Image,
  faces: readonly FilteredCandidate[],
  certain: number,
): Promise<FilteredCandidate[]> {
  const oriented: FilteredCandidate[] = [];
  for (const face of faces) {
    const turned =
      face.probability < certain
        ? await keepPlausible(await filterFaces(filter, image, turnsOf(face), certain))
        : [];
    oriented.push(
      turned.reduce((best, other) => (other.probability > best.probability ? other : best), face),
    );
  }
  return oriented;
}

function turnsOf({ frame, score }: Candidate): Candidate[] {
  return turnsDeg.map((turn) => {
    const aside = turn !== 180;
    return {
      score,
      frame: {
        ...frame,
        angleDeg: turn,
        width: aside ? frame.height : frame.width,
        height: aside ? frame.width : frame.height,
      },
    };
  });
}
