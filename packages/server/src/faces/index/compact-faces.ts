import { type CompactVector, codeQuery, createCompactCode, maxTops } from './compact-code.js';
import { createFaceIds } from './face-ids.js';
import type { Neighbour } from './face-index.js';
import { bestOf, byCosine, chunkRows, type FaceRows, type NearRow, nearestRows } from './face-rows.js';

/** Vectors decoded at a time, some 1 MB of them. */
const decodedRows = 512;
/** Rows of a chunk that are looked at first; more where these may not be all. */
const firstRowsOfChunk = 16;
/** How much the product of two vectors of length 1 may differ by rounding: twice in 32-bit floats, near 1. */
const roundingError = 1e-6;

export interface CompactFaces extends FaceRows {
  /** Faces that the last search decoded: few, unless most are nearly equal. */
  readonly decoded: number;
  /** All of them. The memory of each chunk is free once it is empty, so that the vectors are never held twice. */
  moveTo(other: FaceRows): void;
}

/**
 * Vectors as 8-bit codes and a rest. A search multiplies the codes, a quarter of the bytes. How far such a product may be from
 * the exact one is bounded (by the inequality of Cauchy and Schwarz), so that few vectors can be among the nearest: those are
 * decoded, to the last bit, and multiplied by the same function as vectors that are stored plain. It holds what
 * `createCompactCode` can encode.
 */
export function createCompactFaces(dimensions: number): CompactFaces {
  const code = createCompactCode(dimensions);
  const chunks: CompactVector[] = [];
  const ids = createFaceIds();
  /** Of all vectors that were ever put. */
  let [maxLength, maxErrorLength] = [0, 0];
  let decoded = 0;

  const at = (row: number): CompactVector => {
    const chunk = chunks[Math.floor(row / chunkRows)] ?? createChunk(dimensions, 0);
    const [from, to] = [row % chunkRows, (row % chunkRows) + 1];
    return {
      codes: chunk.codes.subarray(from * dimensions, to * dimensions),
      low16: chunk.low16.subarray(from * dimensions, to * dimensions),
      high8: chunk.high8.subarray(from * dimensions, to * dimensions),
      tops: chunk.tops.subarray(from * maxTops, to * maxTops),
    };
  };

  const write = (row: number, vector: CompactVector): void => {
    const target = at(row);
    target.codes.set(vector.codes);
    target.low16.set(vector.low16);
    target.high8.set(vector.high8);
    target.tops.set(vector.tops);
  };

  const remove = (imageId: number): void => {
    const removed = ids.remove(imageId);
    if (removed === undefined) return;
    const { row, last } = removed;
    if (row !== last) write(row, at(last));
    // One empty chunk stays, as in plain faces.
    if (last <= (chunks.length - 2) * chunkRows) chunks.pop();
  };

  /** Exact, in no order. */
  const compare = (query: Float32Array, rows: readonly number[]): Neighbour[] => {
    const found: Neighbour[] = [];
    const matrix = new Float32Array(Math.min(rows.length, decodedRows) * dimensions);
    for (let from = 0; from < rows.length; from += decodedRows) {
      const some = rows.slice(from, from + decodedRows);
      for (const [index, row] of some.entries()) {
        code.decode(at(row), matrix.subarray(index * dimensions, (index + 1) * dimensions));
      }
      for (const { row, product } of nearestRows(
        matrix.subarray(0, some.length * dimensions),
        query,
        some.length,
      )) {
        found.push(ids.neighbour(some[row] ?? 0, product));
      }
    }
    return found;
  };

  return {
    get size() {
      return ids.size;
    },
    get bytes() {
      return chunks.reduce((sum, chunk) => sum + bytesOf(chunk), 0);
    },
    get decoded() {
      return decoded;
    },
    has: ids.has,

    moveTo(other) {
      const vector = new Float32Array(dimensions);
      while (ids.size > 0) {
        const row = ids.size - 1;
        const { imageId, personId } = ids.neighbour(row, 0);
        code.decode(at(row), vector);
        other.put(imageId, personId, vector);
        remove(imageId);
      }
    },

    put(imageId, personId, vector) {
      const encoded = code.encode(vector);
      if (encoded === null) return false;
      const row = ids.put(imageId, personId);
      if (row === chunks.length * chunkRows) chunks.push(createChunk(dimensions, chunkRows));
      write(row, encoded);
      maxLength = Math.max(maxLength, encoded.length);
      maxErrorLength = Math.max(maxErrorLength, encoded.errorLength);
      return true;
    },

    remove,

    nearest(query, count) {
      const coded = codeQuery(query);
      const unit = code.step * coded.step;
      const maxError =
        maxErrorLength * coded.codedLength +
        maxLength * coded.errorLength +
        roundingError * (1 + maxLength * (coded.codedLength + coded.errorLength));

      const searchChunk = (index: number, wanted: number): ChunkEstimates => {
        const rows = Math.min(chunkRows, ids.size - index * chunkRows);
        const codes = chunks[index]?.codes.subarray(0, rows * dimensions) ?? new Int8Array(0);
        const near = nearestRows(codes, coded.codes, Math.min(wanted, rows)).map(({ row, product }) => ({
          row: index * chunkRows + row,
          product: product * unit,
        }));
        return { near, isWhole: near.length === rows };
      };

      const used = Math.ceil(ids.size / chunkRows);
      const wanted = Math.max(firstRowsOfChunk, Math.ceil((4 * count) / used));
      const searched = Array.from({ length: used }, (_, index) => searchChunk(index, wanted));
      const first = searched
        .flatMap(({ near }) => near)
        .sort((a, b) => b.product - a.product)
        .slice(0, count)
        .map(({ row }) => row);
      const found = compare(query, first);
      // As many are at least this near; a row whose product is smaller by more than the error cannot be among the nearest.
      const floor = found.reduce((least, { cosine }) => Math.min(least, cosine), Infinity) - maxError;

      const known = new Set(first);
      const others: number[] = [];
      for (const [index, estimates] of searched.entries()) {
        let { near, isWhole } = estimates;
        for (let more = wanted * 8; !isWhole && (near.at(-1)?.product ?? 0) >= floor; more *= 8) {
          ({ near, isWhole } = searchChunk(index, more));
        }
        for (const { row, product } of near) if (product >= floor && !known.has(row)) others.push(row);
      }
      decoded = first.length + others.length;
      return [...found, ...compare(query, others)].sort(byCosine).slice(0, count);
    },

    nearestOfPerson(query, personId) {
      const vector = new Float32Array(dimensions);
      const best = bestOf(query, ids.rowsOf(personId), (row) => {
        code.decode(at(row), vector);
        return vector;
      });
      return best && ids.neighbour(best.row, best.product);
    },
  };
}

interface ChunkEstimates {
  /** Best first; products of codes, in the unit of cosines. */
  readonly near: readonly NearRow[];
  /** All rows of the chunk. */
  readonly isWhole: boolean;
}

function createChunk(dimensions: number, rows: number): CompactVector {
  return {
    codes: new Int8Array(rows * dimensions),
    low16: new Uint16Array(rows * dimensions),
    high8: new Int8Array(rows * dimensions),
    tops: new Uint8Array(rows * maxTops),
  };
}

function bytesOf({ codes, low16, high8, tops }: CompactVector): number {
  return codes.byteLength + low16.byteLength + high8.byteLength + tops.byteLength;
}
