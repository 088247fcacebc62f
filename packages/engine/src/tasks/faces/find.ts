import sharp from 'sharp';
import type { Image } from '../../image/image.js';
import type { LoadedModel } from '../task.js';
import { type Candidate, detectFaces, type SeenView, takeView } from './detect.js';
import { type FilteredCandidate, filterFaces } from './filter.js';
import { faceSize } from './frame.js';
import { mergeCandidates } from './merge.js';
import { orientFaces } from './orient.js';
import { finestScale, fineViews, multipleOf, wholeView } from './views.js';

/** How an image is turned, clockwise, to see what lies on a side or stands on its head. */
const turnsDeg = [90, -90, 180] as const;

/** In parts of the size at which the upright image is seen: a quarter of the time, and faces that matter are large. */
const size = 0.5;

export interface FindOptions {
  /** The detector's score, 0 to 1. */
  readonly minScore: number;
  /** The smallest face looked for, in pixels of the original. */
  readonly minFacePx: number;
}

/** Found boxes are a little larger or smaller than their faces; what is smaller than this much of the least size is dropped. */
const sizeSlack = 0.8;
/** More faces are not answered: an answer needs a bound, and a crowd holds about so many that can be told apart. */
const maxFaces = 200;
/** A bound on the work that a hostile image can ask for. */
const maxCandidates = 1000;

/** Probability from which the filter agrees that an upright face is shown: few alarms are left, and no face is lost. */
const minUprightProbability = 0.3;
/**
 * Probability from which a face surely stands as it is seen. Faces that lie or stand on their heads are detected too, but
 * the filter is unsure of them until they are turned; animals and things that are taken for faces stay mostly below.
 */
const certainProbability = 0.97;

/**
 * Faces of an image, looked for in the whole image and in finer windows, and where none is certain, in the whole
 * image turned.
 */
export async function findFaces(
  models: { readonly detector: LoadedModel; readonly filter: LoadedModel },
  image: Image,
  { minScore, minFacePx }: FindOptions,
): Promise<FilteredCandidate[]> {
  const { detector, filter } = models;
  const multiple = multipleOf(detector);
  const lookAt = async (view: SeenView) =>
    (await detectFaces(detector, view, minScore)).filter(
      ({ frame }) => faceSize(frame) >= sizeSlack * minFacePx,
    );
  const check = async (candidates: readonly Candidate[], minProbability: number) => {
    const some = mergeCandidates(candidates).slice(0, maxCandidates);
    return mergeCandidates(await filterFaces(filter, image, some, minProbability)).slice(0, maxFaces);
  };

  const scale = finestScale(minFacePx);
  const upright: Candidate[] = [];
  for (const view of [wholeView(image, multiple, scale), ...fineViews(image, multiple, scale)]) {
    upright.push(...(await lookAt(await takeView(image, view))));
  }
  const standing = await check(upright, minUprightProbability);
  const oriented = await orientFaces(filter, image, standing, certainProbability);
  if (oriented.some(({ probability }) => probability >= certainProbability)) return oriented;

  // Heads tilted by 45 degrees are found without this.
  const turned: Candidate[] = [];
  for (const view of await takeTurnedViews(image, multiple, scale)) turned.push(...(await lookAt(view)));
  const lying = await check(turned, certainProbability);
  return mergeCandidates([...lying, ...oriented], ({ probability }) => probability);
}

/** The whole image turned by quarters; reduced once, and then turned without loss. */
async function takeTurnedViews(image: Image, multiple: number, finest: number): Promise<SeenView[]> {
  const { frame, width, height } = wholeView(image, multiple, finest, size);
  const raw = { width, height, channels: 3 as const };
  const data = await image.raster({ width, height });
  return Promise.all(
    turnsDeg.map(async (angleDeg) => {
      const aside = angleDeg !== 180;
      return {
        frame: {
          centre: frame.centre,
          width: aside ? frame.height : frame.width,
          height: aside ? frame.width : frame.height,
          angleDeg,
        },
        width: aside ? height : width,
        height: aside ? width : height,
        pixels: await sharp(data, { raw }).rotate(-angleDeg).raw().toBuffer(),
      };
    }),
  );
}
