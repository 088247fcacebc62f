import sharp from 'sharp';
import type { Box } from '../../image/box.js';
import type { Image } from '../../image/image.js';
import type { LoadedModel } from '../task.js';
import { type Candidate, detectFaces, type SeenView, takeView } from './detect.js';
import { dropDoubles } from './drop-doubles.js';
import { type FilteredCandidate, filterFaces } from './filter.js';
import { faceSize, frameOf, takeFrame } from './frame.js';
import { mergeCandidates } from './merge.js';
import { orientFaces } from './orient.js';
import { type RefinedCandidate, type RefineModels, refineFaces } from './refine.js';
import { searchImage } from './search.js';
import { finestScale, multipleOf, regionViews, wholeView } from './views.js';

/** Clockwise rotations of an image, to find faces that are sideways or upside down. */
const turnsDeg = [90, -90, 180] as const;

/** As a fraction of the upright view's size: a quarter of the time, and relevant faces are large. */
const size = 0.5;

interface FindOptions {
  /** The detector's score, 0 to 1. */
  readonly minScore: number;
  /** The smallest face to find, in pixels of the original. */
  readonly minFacePx: number;
  /** The only parts to search, in pixels of the image; all of it where there are none. */
  readonly regions?: readonly Box[] | undefined;
  /** Whether the whole image is a face where none is found. */
  readonly isCropped?: boolean;
}

/** Found boxes are a little larger or smaller than their faces; boxes below this fraction of the minimum size are dropped. */
const sizeSlack = 0.8;
/** Maximum of returned faces: an answer needs a bound, and a crowd has about so many distinguishable faces. */
const maxFaces = 200;
/** A bound on the work that a hostile image can cause. */
const maxCandidates = 1000;

/** Probability from which the filter accepts an upright face: few false positives are left, and no face is lost. */
const minUprightProbability = 0.3;
/**
 * Probability from which a face is certainly upright. Sideways and upside-down faces are detected too, but
 * the filter is uncertain about them until they are rotated; animals and things mistaken for faces stay mostly below.
 */
const certainProbability = 0.97;

/** A face that fills the image is cut by its border; with so much black around it, in multiples of the image, it is found. */
const paddedSize = 1.5;

/** A turned face counts if two models agree on its points, to a fraction of its size, and the filter on a face, upright. */
const maxTurnedDisagreement = 0.1;
const minTurnedProbability = 0.9;

/**
 * Faces of an image, searched in the whole image and in finer windows; where none is certain, in the image with a border, and
 * then in the rotated whole image. The best view of a face is the one of which the filter is most certain: the detector gives
 * a displaced box the same score as a good one.
 */
export async function findFaces(
  models: { readonly detector: LoadedModel } & RefineModels,
  image: Image,
  { minScore, minFacePx, regions, isCropped = false }: FindOptions,
): Promise<RefinedCandidate[]> {
  const { detector, filter } = models;
  const multiple = multipleOf(detector);
  const isLargeEnough = ({ frame }: Candidate) => faceSize(frame) >= sizeSlack * minFacePx;
  const lookAt = async (view: SeenView) =>
    (await detectFaces(detector, view, minScore)).filter(isLargeEnough);
  const check = async (candidates: readonly Candidate[], minProbability: number) => {
    const some = candidates.toSorted((a, b) => b.score - a.score).slice(0, maxCandidates);
    return mergeFaces(await filterFaces(filter, image, some, minProbability)).slice(0, maxFaces);
  };
  const keepPlausible = async (turned: readonly FilteredCandidate[]) => {
    const refined = await refineFaces(models, image, turned);
    return turned.filter((_, index) => isPlausible(refined[index]));
  };
  const isCertain = ({ probability }: FilteredCandidate) => probability >= certainProbability;

  const scale = finestScale(minFacePx);
  const upright: Candidate[] = [];
  if (regions) {
    for (const view of regionViews(image, regions, multiple, scale)) {
      upright.push(...(await lookAt(await takeView(image, view))));
    }
  } else {
    upright.push(...(await searchImage(detector, image, { scale, minScore })).filter(isLargeEnough));
  }
  let standing = await check(upright, minUprightProbability);
  if (!regions && !standing.some(isCertain)) {
    const cut = await check(await lookAt(await takePaddedView(image, multiple, scale)), certainProbability);
    standing = mergeFaces([...cut, ...standing]);
  }
  const oriented = await orientFaces({ filter, keepPlausible }, image, standing, certainProbability);
  if (regions || oriented.some(isCertain)) return dropDoubles(await refineFaces(models, image, oriented));

  // Heads tilted by 45 degrees are found without this.
  const turned: Candidate[] = [];
  for (const view of await takeTurnedViews(image, multiple, scale)) turned.push(...(await lookAt(view)));
  const lying = await keepPlausible(await check(turned, certainProbability));
  const found = dropDoubles(await refineFaces(models, image, mergeFaces([...lying, ...oriented])));
  if (found.length > 0 || !isCropped) return found;
  return refineFaces(models, image, await filterFaces(filter, image, [wholeImage(image)], 0));
}

function wholeImage({ width, height }: Image): Candidate {
  return { frame: frameOf({ xMin: 0, yMin: 0, xMax: width, yMax: height }), score: 1 };
}

function mergeFaces(faces: readonly FilteredCandidate[]): FilteredCandidate[] {
  return mergeCandidates(faces, ({ probability }) => probability);
}

function isPlausible(face: RefinedCandidate | undefined): boolean {
  if (face === undefined) return false;
  const { landmarkDisagreement, refinedProbability } = face;
  return landmarkDisagreement < maxTurnedDisagreement && refinedProbability >= minTurnedProbability;
}

/** The whole image with a black border, reduced: faces that the border of the image cuts are large. */
async function takePaddedView(image: Image, multiple: number, finest: number): Promise<SeenView> {
  const { frame, width, height } = wholeView(image, multiple, finest, size * paddedSize);
  const padded = { ...frame, width: frame.width * paddedSize, height: frame.height * paddedSize };
  return { frame: padded, width, height, pixels: await takeFrame(image, padded, { width, height }) };
}

/** The whole image rotated by quarter turns; reduced once, and then rotated without loss. */
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
