import usearch from 'usearch';
import type { Neighbour } from './face-index.js';

/** Rows of a chunk. Growing adds a chunk and copies nothing; searching in chunks costs what one matrix costs. */
export const chunkRows = 8192;

/** Faces in memory. Adding and removing take the same time however many there are. */
export interface FaceRows {
  readonly size: number;
  /** Of vectors. */
  readonly bytes: number;
  has(imageId: number): boolean;
  /** Adds an image, or replaces it. The vector is copied. False, and nothing changed, where it cannot be held. */
  put(imageId: number, personId: number, vector: Float32Array): boolean;
  remove(imageId: number): void;
  /** The nearest images, best first; exact. */
  nearest(query: Float32Array, count: number): Neighbour[];
  nearestOfPerson(query: Float32Array, personId: number): Neighbour | undefined;
}

/** The row that is nearest by the inner product; its cosine where both vectors have length 1. */
export interface NearRow {
  readonly row: number;
  readonly product: number;
}

/**
 * The nearest rows of a matrix, best first.
 * @param matrix from the beginning of its buffer: the library would not see where a part from elsewhere begins
 * @param query of the same kind, the whole of its buffer
 * @param count 1 to the number of rows
 */
export function nearestRows<Numbers extends Float32Array | Int8Array>(
  matrix: Numbers,
  query: Numbers,
  count: number,
): NearRow[] {
  const { keys, distances } = usearch.exactSearch(
    matrix,
    query,
    query.length,
    count,
    usearch.MetricKind.IP,
    1,
  );
  return Array.from(distances, (distance, at) => ({ row: Number(keys[at]), product: 1 - distance }));
}

/**
 * Whether the library adds products of 8-bit numbers without a limit between: its functions for the CPUs that are known do, where
 * others add pairs in 16 bits.
 */
export function multipliesCodesExactly(dimensions: number): boolean {
  const codes = new Int8Array(dimensions).fill(127);
  const matrix = new Int8Array(2 * dimensions).fill(127, 0, dimensions).fill(-127, dimensions);
  const products = nearestRows(matrix, codes, 2).map(({ product }) => product);
  const largest = dimensions * 127 ** 2;
  return products[0] === largest && products[1] === -largest;
}

/** Equal ones in the order of their ids, so that the same question has the same answer. */
export function byCosine(a: Neighbour, b: Neighbour): number {
  return b.cosine - a.cosine || a.imageId - b.imageId;
}

/** The best of the rows, each read by `vectorAt`. */
export function bestOf(
  query: Float32Array,
  rows: Iterable<number>,
  vectorAt: (row: number) => Float32Array,
): NearRow | undefined {
  let best: NearRow | undefined;
  for (const row of rows) {
    const product = dotProduct(query, vectorAt(row));
    if (best === undefined || product > best.product) best = { row, product };
  }
  return best;
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
