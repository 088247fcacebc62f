import type { Picture } from '../../image/picture.js';
import type { LoadedModel } from '../task.js';
import { type Candidate, detectFaces, type View } from './detect.js';
import { type FilteredCandidate, filterFaces } from './filter.js';
import { faceSize } from './frame.js';
import { mergeCandidates } from './merge.js';
import { orientFaces } from './orient.js';
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
 * Probability from which a face surely stands as it is seen. Faces that lie or stand on their heads are detected too, but
 * the filter is unsure of them until they are turned; animals and things that are taken for faces stay mostly below.
 */
const certainProbability = 0.97;
/** How the picture is turned when no face stands upright in it for certain. Heads tilted by 45 degrees need no turning. */
const turnsDeg = [90, -90, 180] as const;

/**
 * Faces of a picture, looked for in the whole picture and in finer windows, and where none is certain, in the whole
 * picture turned.
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
  const oriented = await orientFaces(filter, picture, upright, certainProbability);
  if (oriented.some(({ probability }) => probability >= certainProbability)) return oriented;
  const turned = await look(
    turnsDeg.map((turn) => wholeView(picture, multiple, turn)),
    certainProbability,
  );
  return mergeCandidates([...turned, ...oriented], ({ probability }) => probability);
}
