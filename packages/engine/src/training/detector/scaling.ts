import type { DetectorBackbone } from './cut-detector.js';
import type { LevelRows } from './training-rows.js';

/** Normalisation of inputs: (input - mean) / spread. */
export interface Scale {
  readonly means: Float32Array;
  readonly spreads: Float32Array;
}

export interface Scaling {
  /** Of the backbone's logits, over all levels. */
  readonly logits: Scale;
  /** Of the features, a level each. */
  readonly levels: readonly Scale[];
}

/**
 * Spreads are shrunk half way to their level's mean, and kept above zero: a feature that hardly varies in a few images
 * would otherwise dominate in the next one.
 */
export function measureScaling({ levels, classes }: DetectorBackbone, rows: readonly LevelRows[]): Scaling {
  const logits = rows.map((level) => level.logits);
  return {
    logits: scaleOf(logits, classes, { floor: 0.1, pull: 0 }),
    levels: levels.map(({ dims }, index) =>
      scaleOf([rows[index]?.features ?? new Float32Array()], dims, { floor: 0.05, pull: 0.5 }),
    ),
  };
}

function scaleOf(
  blocks: readonly Float32Array[],
  dims: number,
  { floor, pull }: { readonly floor: number; readonly pull: number },
): Scale {
  const means = new Float64Array(dims);
  const squares = new Float64Array(dims);
  let count = 0;
  for (const block of blocks) {
    for (let index = 0; index < block.length; index++) {
      const value = block[index] ?? 0;
      means[index % dims] = (means[index % dims] ?? 0) + value;
      squares[index % dims] = (squares[index % dims] ?? 0) + value * value;
    }
    count += block.length / dims;
  }
  const of = Math.max(1, count);
  const variances = squares.map((sum, dim) => Math.max(0, sum / of - ((means[dim] ?? 0) / of) ** 2));
  const common = variances.reduce((sum, variance) => sum + variance, 0) / dims;
  return {
    means: Float32Array.from(means, (sum) => sum / of),
    // Without rows there is nothing to scale.
    spreads: Float32Array.from(variances, (variance) =>
      count > 0 ? Math.sqrt(pull * common + (1 - pull) * variance) + floor : 1,
    ),
  };
}

/** Scales rows, in place. */
export function applyScaling(scaling: Scaling, rows: readonly LevelRows[]): void {
  rows.forEach(({ features, logits }, level) => {
    rescale(features, scaling.levels[level]);
    rescale(logits, scaling.logits);
  });
}

function rescale(values: Float32Array, scale: Scale | undefined): void {
  if (!scale) return;
  const { means, spreads } = scale;
  const dims = means.length;
  for (let index = 0; index < values.length; index++) {
    const dim = index % dims;
    values[index] = ((values[index] ?? 0) - (means[dim] ?? 0)) / (spreads[dim] ?? 1);
  }
}
