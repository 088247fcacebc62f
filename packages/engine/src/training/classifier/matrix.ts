/** Numbers in rows, row after row. */
export interface Matrix<Data extends Float32Array | Float64Array = Float32Array | Float64Array> {
  readonly data: Data;
  readonly rows: number;
  readonly columns: number;
}

/** Product of row `i` of `a` with row `j` of `b`, which has as many columns. */
export function dotRows(a: Matrix, i: number, b: Matrix, j: number): number {
  const { columns } = a;
  const x = a.data;
  const y = b.data;
  let at = i * columns;
  let bt = j * columns;
  let sum = 0;
  for (const end = at + columns; at < end; at++, bt++) sum += (x[at] ?? 0) * (y[bt] ?? 0);
  return sum;
}

/** Adds `factor` times row `j` of `b` to row `i` of `a`. */
export function addRow(a: Matrix, i: number, factor: number, b: Matrix, j: number): void {
  const { columns } = a;
  const x = a.data;
  const y = b.data;
  let at = i * columns;
  let bt = j * columns;
  for (const end = at + columns; at < end; at++, bt++) x[at] = (x[at] ?? 0) + factor * (y[bt] ?? 0);
}

/** The rows at `indexes`, in that order, in single precision. */
export function takeRows(matrix: Matrix, indexes: readonly number[]): Matrix<Float32Array> {
  const { data, columns } = matrix;
  const taken = new Float32Array(indexes.length * columns);
  for (const [row, index] of indexes.entries()) {
    taken.set(data.subarray(index * columns, (index + 1) * columns), row * columns);
  }
  return { data: taken, rows: indexes.length, columns };
}

export function meanRow({ data, rows, columns }: Matrix): Float64Array {
  const mean = new Float64Array(columns);
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      mean[column] = (mean[column] ?? 0) + (data[at] ?? 0) / rows;
    }
  }
  return mean;
}
