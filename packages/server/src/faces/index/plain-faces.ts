import { createFaceIds } from './face-ids.js';
import type { Neighbour } from './face-index.js';
import { bestOf, byCosine, chunkRows, type FaceRows, nearestRows } from './face-rows.js';

/** Most galleries are small. */
const firstChunkRows = 16;

/** Vectors as they are. It holds every vector. */
export function createPlainFaces(dimensions: number): FaceRows {
  const chunks: Float32Array[] = [];
  const ids = createFaceIds();

  const vectorAt = (row: number): Float32Array => {
    const chunk = chunks[Math.floor(row / chunkRows)] ?? new Float32Array(0);
    const start = (row % chunkRows) * dimensions;
    return chunk.subarray(start, start + dimensions);
  };

  const makeSpace = (row: number): void => {
    const index = Math.floor(row / chunkRows);
    const chunk = chunks[index];
    const used = (row % chunkRows) * dimensions;
    if (chunk === undefined) {
      chunks.push(new Float32Array((index === 0 ? firstChunkRows : chunkRows) * dimensions));
    } else if (used === chunk.length) {
      const larger = new Float32Array(Math.min(chunk.length * 2, chunkRows * dimensions));
      larger.set(chunk);
      chunks[index] = larger;
    }
  };

  return {
    get size() {
      return ids.size;
    },
    get bytes() {
      return chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    },
    has: ids.has,

    put(imageId, personId, vector) {
      const row = ids.put(imageId, personId);
      if (row === ids.size - 1) makeSpace(row);
      vectorAt(row).set(vector);
      return true;
    },

    remove(imageId) {
      const removed = ids.remove(imageId);
      if (removed === undefined) return;
      const { row, last } = removed;
      if (row !== last) vectorAt(row).set(vectorAt(last));
      // One empty chunk stays, so that a gallery at a chunk's edge does not make and drop it at every change.
      if (last <= (chunks.length - 2) * chunkRows) chunks.pop();
    },

    nearest(query, count) {
      const found: Neighbour[] = [];
      for (const [index, chunk] of chunks.entries()) {
        const rows = Math.min(chunkRows, ids.size - index * chunkRows);
        if (rows <= 0) break;
        const near = nearestRows(chunk.subarray(0, rows * dimensions), query, Math.min(count, rows));
        for (const { row, product } of near) found.push(ids.neighbour(index * chunkRows + row, product));
      }
      return found.sort(byCosine).slice(0, count);
    },

    nearestOfPerson(query, personId) {
      const best = bestOf(query, ids.rowsOf(personId), vectorAt);
      return best && ids.neighbour(best.row, best.product);
    },
  };
}
