/** Row and column of a cost matrix that belong together. */
export interface Pair {
  readonly row: number;
  readonly column: number;
  readonly cost: number;
}

/**
 * Pairs rows with columns, each used once, so that the sum of costs is least, where a row without a column costs `maxCost`: a pair
 * that costs `maxCost` or more is never formed. Successive shortest augmenting paths with dual prices, the second phase of Jonker and
 * Volgenant (1987): O(rows * rows * columns) at worst.
 *
 * @param costs of row and column; NaN and infinities forbid the pair, negative ones are allowed
 * @returns by row
 */
export function assign(
  rows: number,
  columns: number,
  costs: (row: number, column: number) => number,
  maxCost: number,
): Pair[] {
  if (rows === 0 || columns === 0) return [];
  if (rows > columns) {
    return assign(columns, rows, (row, column) => costs(column, row), maxCost)
      .map(({ row, column, cost }) => ({ row: column, column: row, cost }))
      .sort((a, b) => a.row - b.row);
  }
  // With a column for each row, a pair at `maxCost` is as good as none: the cheapest whole assignment contains the answer.
  const clipped = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const cost = costs(row, column);
      clipped[row * columns + column] = cost < maxCost && cost > Number.NEGATIVE_INFINITY ? cost : maxCost;
    }
  }
  return [...rowOfColumns(rows, columns, clipped)]
    .map((row, column) => ({ row, column, cost: clipped[row * columns + column] ?? maxCost }))
    .filter(({ row, cost }) => row >= 0 && cost < maxCost)
    .sort((a, b) => a.row - b.row);
}

/** The row of each column in the cheapest assignment of every row, -1 for none; at least as many columns as rows. */
function rowOfColumns(rows: number, columns: number, costs: Float64Array): Int32Array {
  const rowOf = new Int32Array(columns).fill(-1);
  const rowPrice = new Float64Array(rows);
  const columnPrice = new Float64Array(columns);
  const distance = new Float64Array(columns);
  const previous = new Int32Array(columns);
  const isDone = new Uint8Array(columns);
  for (let start = 0; start < rows; start++) {
    distance.fill(Number.POSITIVE_INFINITY);
    isDone.fill(0);
    let row = start;
    let from = -1;
    let reached = 0;
    // Dijkstra's search over reduced costs, from a row without a column to the nearest column without a row.
    for (;;) {
      const travelled = from < 0 ? 0 : (distance[from] ?? 0);
      const base = travelled - (rowPrice[row] ?? 0);
      let nearest = -1;
      let least = Number.POSITIVE_INFINITY;
      for (let column = 0; column < columns; column++) {
        if (isDone[column] === 1) continue;
        const through = base + (costs[row * columns + column] ?? 0) - (columnPrice[column] ?? 0);
        if (through < (distance[column] ?? 0)) {
          distance[column] = through;
          previous[column] = from;
        }
        if ((distance[column] ?? 0) < least) {
          least = distance[column] ?? 0;
          nearest = column;
        }
      }
      reached = nearest;
      if ((rowOf[nearest] ?? -1) < 0) break;
      isDone[nearest] = 1;
      row = rowOf[nearest] ?? 0;
      from = nearest;
    }
    const length = distance[reached] ?? 0;
    rowPrice[start] = (rowPrice[start] ?? 0) + length;
    for (let column = 0; column < columns; column++) {
      if (isDone[column] !== 1) continue;
      const gain = length - (distance[column] ?? 0);
      const owner = rowOf[column] ?? 0;
      rowPrice[owner] = (rowPrice[owner] ?? 0) + gain;
      columnPrice[column] = (columnPrice[column] ?? 0) - gain;
    }
    for (let column = reached; column >= 0; ) {
      const before = previous[column] ?? -1;
      rowOf[column] = before < 0 ? start : (rowOf[before] ?? start);
      column = before;
    }
  }
  return rowOf;
}
