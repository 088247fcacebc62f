import type { Picture } from '../../image/picture.js';
import type { LoadedModel } from '../task.js';
import { type Candidate, detectFaces, type View } from './detect.js';
import { type FilteredCandidate, filterFaces } from './filter.js';
import { faceSize } from './frame.js';
import { mergeCandidates } from './merge.js';
import { fineViews, wholeView } from './views.js';

export interface FindOptions {
  /** The detector's score, 0 to 1. */
  readonly minScore: number;
  /** The smallest face looked for, in pixels of the original. */
  readonly minFacePx: number;
}

/** The size in pixels of a view from which the detector finds nearly every face: 30 of 31 at 16, 28 at 14. */
const findablePx = 16;
/** No picture is enlarged by more than this. */
const maxEnlargement = 2;
/** Found boxes are a little larger or smaller than their faces; what is smaller than this much of the least size is dropped. */
const sizeSlack = 0.8;
/** More faces are not answered: an answer needs a bound, and a crowd holds about so many that can be told apart. */
const maxFaces = 200;
/** A bound on the work that a hostile picture can ask for. */
const maxCandidates = 1000;

/** Probability from which the filter agrees that an upright face is shown: few alarms are left, and no face is lost. */
const minProbability = 0.3;
/**
 * How the picture is turned when no face stands upright in it. Heads tilted by 45 degrees are found without. Animals and
 * things are taken for faces more often in turned pictures; real faces stand at .98 and above there, those mostly below .9.
 */
const turnsDeg = [90, -90, 180] as const;
const minTurnedProbability = 0.9;

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
  const look = async (views: readonly View[], atLeast: number) => {
    const seen: Candidate[] = [];
    for (const view of views) seen.push(...(await detectFaces(detector, picture, view, minScore)));
    const candidates = mergeCandidates(seen.filter(({ frame }) => faceSize(frame) >= sizeSlack * minFacePx));
    const faces = await filterFaces(filter, picture, candidates.slice(0, maxCandidates), atLeast);
    return mergeCandidates(faces).slice(0, maxFaces);
  };
  const scale = Math.min(maxEnlargement, findablePx / minFacePx);
  const whole = wholeView(picture, multiple);
  const upright = await look([whole, ...fineViews(picture, multiple, scale)], minProbability);
  if (upright.length > 0) return upright;
  const turned = turnsDeg.map((turn) => wholeView(picture, multiple, turn));
  return look(turned, minTurnedProbability);
}
