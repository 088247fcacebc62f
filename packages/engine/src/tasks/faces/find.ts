import type { Picture } from '../../image/picture.js';
import type { LoadedModel } from '../task.js';
import { detectFaces, type View } from './detect.js';
import { type FilteredCandidate, filterFaces } from './filter.js';
import { mergeCandidates } from './merge.js';
import { fineViews, wholeView } from './views.js';

export interface FindOptions {
  /** The detector's score, 0 to 1. */
  readonly minScore: number;
  /** The smallest face looked for, in pixels of the original. */
  readonly minFacePx: number;
}

/** The size in pixels of a view from which the detector finds nearly every face. */
const findablePx = 16;
/** No picture is enlarged by more than this. */
const maxEnlargement = 2;
/** More faces are not answered: an answer needs a bound, and a crowd holds about so many that can be told apart. */
const maxFaces = 200;
/** How the picture is turned when no face stands upright in it. */
const turnsDeg = [45, -45, 90, -90, 135, -135, 180] as const;

/**
 * Faces of a picture, best first, looked for in the whole picture and in finer windows, and where no face is found so,
 * in the whole picture turned.
 */
export async function findFaces(
  models: { readonly detector: LoadedModel; readonly filter: LoadedModel },
  picture: Picture,
  { minScore, minFacePx }: FindOptions,
): Promise<FilteredCandidate[]> {
  const { detector, filter } = models;
  const { input } = detector.manifest;
  const multiple = input.fit === 'free' ? input.multiple : 1;
  const look = async (views: readonly View[]) => {
    const seen = [];
    for (const view of views) seen.push(...(await detectFaces(detector, picture, view, minScore)));
    return filterFaces(filter, picture, mergeCandidates(seen));
  };
  const scale = Math.min(maxEnlargement, findablePx / minFacePx);
  const upright = await look([wholeView(picture, multiple), ...fineViews(picture, multiple, scale)]);
  const found =
    upright.length > 0 ? upright : await look(turnsDeg.map((turn) => wholeView(picture, multiple, turn)));
  return mergeCandidates(found).slice(0, maxFaces);
}
