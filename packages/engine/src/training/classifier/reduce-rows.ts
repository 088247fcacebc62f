import { addRow, dotRows, type Matrix } from './matrix.js';

export interface ReducedRows {
  /** As many columns as there are rows, at most; products of rows are those of the originals. */
  readonly rows: Matrix;
  /** Maps weights of reduced columns back to the original ones, one row per class. */
  expand(weights: Matrix): Matrix<Float64Array>;
}

/** Beside the mean square length of the rows; keeps two equal images from being a division by zero. */
const jitter = 1e-6;

/**
 * Fewer columns for the same problem. A head with weight decay is a mix of its images' features (representer
 * theorem), so that only products between images matter: of G = X X' = L L' (Cholesky) the rows of L serve as features, and
 * the weights for X are X' L'^-1 times those for L. Exact except for the jitter. Where that gains little, X itself is
 * returned.
 */
export function reduceRows(features: Matrix): ReducedRows {
  const { rows: count, columns } = features;
  // The reduction takes time in the square of the images, and gains little where rows and columns are nearly as many.
  if (count > columns / 2) {
    return { rows: features, expand: (weights) => ({ ...weights, data: Float64Array.from(weights.data) }) };
  }
  const lower = choleskyOfProducts(features);
  return {
    rows: lower,
    expand(weights) {
      const expanded = { data: new Float64Array(weights.rows * columns), rows: weights.rows, columns };
      for (let row = 0; row < weights.rows; row++) {
        const mix = solveTransposed(lower, weights, row);
        for (let i = 0; i < count; i++) addRow(expanded, row, mix[i] ?? 0, features, i);
      }
      return expanded;
    },
  };
}

function choleskyOfProducts(features: Matrix): Matrix<Float64Array> {
  const { rows: size } = features;
  const data = new Float64Array(size * size);
  let squares = 0;
  for (let i = 0; i < size; i++) squares += dotRows(features, i, features, i);
  const ridge = jitter * (squares / Math.max(1, size)) || jitter;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = dotRows(features, i, features, j) + (i === j ? ridge : 0);
      for (let k = 0, a = i * size, b = j * size; k < j; k++, a++, b++)
        sum -= (data[a] ?? 0) * (data[b] ?? 0);
      data[i * size + j] = i === j ? Math.sqrt(Math.max(sum, ridge)) : sum / (data[j * size + j] ?? 1);
    }
  }
  return { data, rows: size, columns: size };
}

/** x of L' x = b, b being a row of `right`. */
function solveTransposed({ data, rows: size }: Matrix, right: Matrix, row: number): Float64Array {
  const x = Float64Array.from(right.data.subarray(row * size, (row + 1) * size));
  for (let i = size - 1; i >= 0; i--) {
    const solved = (x[i] ?? 0) / (data[i * size + i] ?? 1);
    x[i] = solved;
    for (let j = 0; j < i; j++) x[j] = (x[j] ?? 0) - (data[i * size + j] ?? 0) * solved;
  }
  return x;
}
