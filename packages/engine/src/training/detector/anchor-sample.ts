import type { Products } from '../products.js';
import type { DetectorBackbone } from './cut-detector.js';

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
interface AnchorLocation {
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

/** The backbone's own logits of anchors: [classes] by their indexes, computed from the features of their cells. */
export async function ownLogits(
  { levels, classes }: Pick<DetectorBackbone, 'levels' | 'classes'>,
  sample: AnchorSample,
  indexes: readonly number[],
  products: Products,
): Promise<ReadonlyMap<number, Float32Array>> {
  const known = sample.ownLogits ?? new Map<number, Float32Array>();
  const missing = indexes
    .filter((index) => !known.has(index))
    .map((index) => ({ index, location: locationOf({ levels }, sample, index) }));
  for (const [level, { dims, anchorsPerCell, weights, biases }] of levels.entries()) {
    const here = missing.filter(({ location }) => location.level === level);
    if (here.length === 0) continue;
    const features = new Float32Array(here.length * dims);
    for (const [row, { location }] of here.entries())
      features.set(cellFeatures({ levels }, sample, location), row * dims);
    const columns = anchorsPerCell * classes;
    const all = await products.multiplyRows(
      { data: features, rows: here.length, columns: dims },
      { data: weights, rows: columns, columns: dims },
    );
    for (const [row, { index, location }] of here.entries()) {
      const first = location.anchor * classes;
      const logits = all.slice(row * columns + first, row * columns + first + classes);
      for (let column = 0; column < classes; column++)
        logits[column] = (logits[column] ?? 0) + (biases[first + column] ?? 0);
      known.set(index, logits);
    }
  }
  return known;
}
