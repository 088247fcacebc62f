import { type Box, boxIou, clipBox } from '../../image/box.js';
import type { Image } from '../../image/image.js';
import { inputTensor, placeInput } from '../input.js';
import { floatsOf, integersOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import type { Candidate } from './fuse.js';
import { keptOfSlice } from './kept-of-slice.js';
import { sliceImage } from './slices.js';

/**
 * `high`: large images are looked at in slices as well, which finds small objects and takes up to 25 times as long; `auto`: those
 * from 4 megapixels on; `normal`: none.
 */
export type DetectionDetail = 'normal' | 'high' | 'auto';

/** From so many pixels on, `auto` is `high`. */
const autoPixels = 4_000_000;

interface DetectorOptions {
  /** Own score of the model, 0 to 1, from which boxes are answered. */
  readonly minScore: number;
  /** Intersection over union, 0 to 1, above which the lesser of two boxes of one class is dropped. */
  readonly nmsIou: number;
  readonly detail: DetectionDetail;
  readonly signal: AbortSignal;
}

/** Whole pixels are answered: what is thinner has no area. */
const leastSidePx = 0.5;

/** Boxes of one detector in pixels of the image, with its own scores from `minScore` on. */
export async function runDetector(
  model: LoadedModel,
  image: Image,
  options: DetectorOptions,
): Promise<Candidate[]> {
  const whole = await look(model, image, options);
  const { detail } = options;
  const isSliced = detail === 'high' || (detail === 'auto' && image.width * image.height >= autoPixels);
  const slices = isSliced ? sliceImage(image) : [];
  if (slices.length === 0) return whole;
  const found: Candidate[] = [];
  for (const slice of slices) {
    options.signal.throwIfAborted();
    const seen = await look(model, image, options, slice);
    found.push(...keptOfSlice(seen, slice, { image, whole }));
  }
  return suppressOverlaps(
    [...whole, ...found].sort((a, b) => b.score - a.score),
    options.nmsIou,
  );
}

async function look(
  model: LoadedModel,
  image: Image,
  { minScore, nmsIou }: DetectorOptions,
  region?: Box,
): Promise<Candidate[]> {
  const { input } = model.manifest;
  const outputs = await model.run({
    image: await inputTensor(image, input, region),
    score_threshold: { data: Float32Array.of(minScore), dims: [1] },
    iou_threshold: { data: Float32Array.of(nmsIou), dims: [1] },
  });
  const boxes = floatsOf(model, outputs, 'boxes');
  const scores = floatsOf(model, outputs, 'scores');
  const classes = integersOf(model, outputs, 'classes');
  const frame = region ?? { xMin: 0, yMin: 0, xMax: image.width, yMax: image.height };
  const seen = placeInput(frame, input).box;
  const candidates = Array.from(scores, (score, index) => {
    const at = (side: number) => Math.min(Math.max(boxes[4 * index + side] ?? 0, 0), 1);
    const found = { xMin: at(0), yMin: at(1), xMax: at(2), yMax: at(3) };
    const box = clipBox(within(seen, found), image.width, image.height);
    return { classIndex: Number(classes[index]), score, box };
  });
  return candidates.filter(({ box }) => isShown(box));
}

/** A box in the border of a letterbox shows nothing of the image: cut to the image, it has no area. */
function isShown({ xMin, yMin, xMax, yMax }: Box): boolean {
  return xMax - xMin >= leastSidePx && yMax - yMin >= leastSidePx;
}

/**
 * Greedy non-maximum suppression within each class: of two boxes whose IoU exceeds `maxIou` the lesser is dropped.
 * Input and output have the best first.
 */
export function suppressOverlaps(candidates: readonly Candidate[], maxIou: number): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    const hidden = kept.some(
      (better) => better.classIndex === candidate.classIndex && boxIou(better.box, candidate.box) > maxIou,
    );
    if (!hidden) kept.push(candidate);
  }
  return kept;
}

/** A box relative to the model's input, in pixels of the image. */
function within(seen: Box, { xMin, yMin, xMax, yMax }: Box): Box {
  const [width, height] = [seen.xMax - seen.xMin, seen.yMax - seen.yMin];
  return {
    xMin: seen.xMin + xMin * width,
    yMin: seen.yMin + yMin * height,
    xMax: seen.xMin + xMax * width,
    yMax: seen.yMin + yMax * height,
  };
}
