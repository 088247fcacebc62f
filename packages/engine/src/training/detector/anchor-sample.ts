import type { DetectorBackbone } from './cut-detector.js';
import { dotAt } from './dot.js';

/** Features of cells of one image: all of them, or some of each level. */
export interface AnchorSample {
  /** A level each: [cells, dims], rows one cell. */
  readonly levels: readonly Float32Array[];
  /** Cache of the backbone's own logits of anchors, for a sample that many heads are trained on. */
  readonly ownLogits?: Map<number, Float32Array>;
}

/** A whole image. */
export interface ImageAnchors extends AnchorSample {
  /** [anchors, 4]: xMin, yMin, xMax, yMax relative to the image, not clipped to it. */
  readonly corners: Float32Array;
}

/** Position of an anchor in a sample. */
export interface AnchorLocation {
  readonly level: number;
  /** Index into the sample's cells of that level. */
  readonly cell: number;
  /** Which of the cell's anchors. */
  readonly anchor: number;
}

type Levels = Pick<DetectorBackbone, 'levels'>;

export function countAnchors({ levels }: Levels, sample: AnchorSample): number {
  return levels.reduce(
    (sum, { dims, anchorsPerCell }, index) =>
      sum + ((sample.levels[index]?.length ?? 0) / dims) * anchorsPerCell,
    0,
  );
}

export function locationOf({ levels }: Levels, sample: AnchorSample, index: number): AnchorLocation {
  let rest = index;
  for (const [level, { dims, anchorsPerCell }] of levels.entries()) {
    const count = ((sample.levels[level]?.length ?? 0) / dims) * anchorsPerCell;
    if (rest < count)
      return { level, cell: Math.floor(rest / anchorsPerCell), anchor: rest % anchorsPerCell };
    rest -= count;
  }
  throw new RangeError(`anchor ${index} is beyond the sample`);
}

/** Features of one cell: a view. */
export function cellFeatures(
  { levels }: Levels,
  sample: AnchorSample,
  location: AnchorLocation,
): Float32Array {
  const dims = levels[location.level]?.dims ?? 0;
  const features = sample.levels[location.level] ?? new Float32Array();
  return features.subarray(location.cell * dims, (location.cell + 1) * dims);
}

/** The backbone's own logits of an anchor: [classes], computed from the cell's features. */
export function ownLogits(
  backbone: Pick<DetectorBackbone, 'levels' | 'classes'>,
  features: Float32Array,
  { level, anchor }: AnchorLocation,
): Float32Array {
  const { levels, classes } = backbone;
  const { dims, weights, biases } = levels[level] ?? noLevel;
  const logits = new Float32Array(classes);
  for (let index = 0; index < classes; index++) {
    const row = anchor * classes + index;
    logits[index] = (biases[row] ?? 0) + dotAt(weights, row * dims, features, 0, dims);
  }
  return logits;
}

const noLevel = { dims: 0, weights: new Float32Array(), biases: new Float32Array() };
