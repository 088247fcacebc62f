import usearch from 'usearch';
import type { NearestQuery, Neighbour } from './face-index.js';

/** Rows of a chunk. Growing adds a chunk and copies nothing; searching in chunks costs what one matrix costs. */
const chunkRows = 8192;
/** Most galleries are small. */
const firstChunkRows = 16;
/** Images looked at first for each person wanted; people with more images than that make the search go on. */
const imagesPerPerson = 8;

/** The vectors of one gallery, in memory. Adding and removing take the same time however many there are. */
export interface Gallery {
  /** Of every vector. */
  readonly dimensions: number;
  readonly size: number;
  readonly bytes: number;
  /** Adds an image, or replaces it. The vector is copied. */
  put(imageId: number, personId: number, vector: Float32Array): void;
  remove(imageId: number): void;
  nearestPeople(query: Float32Array, wanted: NearestQuery): Neighbour[];
}

/** @param dimensions of every vector */
export function createGallery(dimensions: number): Gallery {
  const chunks: Float32Array[] = [];
  const imageIds: number[] = [];
  const personIds: number[] = [];
  const rowOf = new Map<number, number>();

  const vectorAt = (row: number): Float32Array => {
    const chunk = chunks[Math.floor(row / chunkRows)] ?? new Float32Array(0);
    const start = (row % chunkRows) * dimensions;
    return chunk.subarray(start, start + dimensions);
  };

  const allocateRow = (): number => {
    const row = imageIds.length;
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
    return row;
  };

  const neighbour = (row: number, cosine: number): Neighbour => ({
    personId: personIds[row] ?? 0,
    imageId: imageIds[row] ?? 0,
    cosine,
  });

  /** The nearest rows of all, best first. */
  const nearestRows = (query: Float32Array, count: number): Neighbour[] => {
    const found: Neighbour[] = [];
    for (const [index, chunk] of chunks.entries()) {
      const rows = Math.min(chunkRows, imageIds.length - index * chunkRows);
      if (rows <= 0) break;
      // A part from the beginning is searched as it is; the library would not see where a part from elsewhere begins.
      const { keys, distances } = usearch.exactSearch(
        chunk.subarray(0, rows * dimensions),
        query,
        dimensions,
        Math.min(count, rows),
        usearch.MetricKind.IP,
        1,
      );
      for (const [at, key] of keys.entries()) {
        found.push(neighbour(index * chunkRows + Number(key), 1 - (distances[at] ?? 1)));
      }
    }
    return found.sort(byCosine).slice(0, count);
  };

  const nearestOfPerson = (query: Float32Array, personId: number): Neighbour[] => {
    let best: Neighbour | undefined;
    for (let row = personIds.indexOf(personId); row >= 0; row = personIds.indexOf(personId, row + 1)) {
      const cosine = dotProduct(query, vectorAt(row));
      if (best === undefined || cosine > best.cosine) best = neighbour(row, cosine);
    }
    return best === undefined ? [] : [best];
  };

  return {
    dimensions,
    get size() {
      return imageIds.length;
    },
    get bytes() {
      return chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
    },

    put(imageId, personId, vector) {
      if (vector.length !== dimensions) {
        throw new Error(`a vector of ${vector.length} numbers in a gallery of ${dimensions}`);
      }
      const row = rowOf.get(imageId) ?? allocateRow();
      rowOf.set(imageId, row);
      imageIds[row] = imageId;
      personIds[row] = personId;
      vectorAt(row).set(vector);
    },

    remove(imageId) {
      const row = rowOf.get(imageId);
      if (row === undefined) return;
      const last = imageIds.length - 1;
      const lastImage = imageIds[last];
      const lastPerson = personIds[last];
      if (row !== last && lastImage !== undefined && lastPerson !== undefined) {
        vectorAt(row).set(vectorAt(last));
        imageIds[row] = lastImage;
        personIds[row] = lastPerson;
        rowOf.set(lastImage, row);
      }
      rowOf.delete(imageId);
      imageIds.pop();
      personIds.pop();
      // One empty chunk stays, so that a gallery at a chunk's edge does not make and drop it at every change.
      if (last <= (chunks.length - 2) * chunkRows) chunks.pop();
    },

    nearestPeople(query, { people, personId }) {
      // Of a view the library would read the buffer from its beginning.
      const own = query.slice();
      if (personId !== undefined) return nearestOfPerson(own, personId);
      for (let count = people * imagesPerPerson; ; count *= 8) {
        const rows = nearestRows(own, Math.min(count, imageIds.length));
        const best = firstOfEachPerson(rows).slice(0, people);
        if (best.length === people || rows.length === imageIds.length) return best;
      }
    },
  };
}

/** Equal ones in the order of their ids, so that the same question has the same answer. */
function byCosine(a: Neighbour, b: Neighbour): number {
  return b.cosine - a.cosine || a.imageId - b.imageId;
}

function firstOfEachPerson(sorted: readonly Neighbour[]): Neighbour[] {
  const seen = new Set<number>();
  return sorted.filter(({ personId }) => {
    if (seen.has(personId)) return false;
    seen.add(personId);
    return true;
  });
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
