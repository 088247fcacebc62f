import { type CompactFaces, createCompactFaces } from './compact-faces.js';
import type { NearestQuery, Neighbour } from './face-index.js';
import { byCosine, chunkRows, type FaceRows, multipliesCodesExactly } from './face-rows.js';
import { createPlainFaces } from './plain-faces.js';

/** Images looked at first for each person wanted; people with more images than that make the search go on. */
const imagesPerPerson = 8;
/** Faces that are plain before any is compact. Below, a search takes a millisecond, and a message to the thread a tenth. */
const plainRows = chunkRows;
/** Shorter vectors stay plain: a search of a million with 128 numbers takes 30 ms. */
const minCompactDimensions = 256;

/** Compact faces that a search may decode, some 10 ms; more where that is a sixteenth of them at most. */
const maxDecoded = 2048;

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
  const plain = createPlainFaces(dimensions);
  /** Plain ones, and compact ones where there are any. */
  const held: FaceRows[] = [plain];
  let compact: CompactFaces | undefined;
  let isWorthCompact = dimensions >= minCompactDimensions;

  const size = () => held.reduce((sum, faces) => sum + faces.size, 0);

  /** Where a new face goes that fits. */
  const compactFaces = (): FaceRows | undefined => {
    if (!isWorthCompact || plain.size < plainRows) return undefined;
    if (compact === undefined && multipliesCodesExactly(dimensions)) {
      compact = createCompactFaces(dimensions);
      held.push(compact);
    }
    return compact;
  };

  /**
   * Where most faces are nearly equal, decoding them takes longer than their codes save. The images wanted are decoded anyway, and
   * the more they are, the more are as near as the last of them.
   */
  const makePlainIfSlow = (count: number): void => {
    if (compact === undefined) return;
    if (compact.decoded <= 2 * count + Math.max(maxDecoded, compact.size / 16)) return;
    compact.moveTo(plain);
    held.pop();
    compact = undefined;
    isWorthCompact = false;
  };

  /** The nearest rows of all, best first. */
  const nearest = (query: Float32Array, count: number): Neighbour[] => {
    const found = held.flatMap((faces) => (faces.size === 0 ? [] : faces.nearest(query, count)));
    makePlainIfSlow(count);
    return found.sort(byCosine).slice(0, count);
  };

  const nearestOfPerson = (query: Float32Array, personId: number): Neighbour[] =>
    held
      .flatMap((faces) => faces.nearestOfPerson(query, personId) ?? [])
      .sort(byCosine)
      .slice(0, 1);

  return {
    dimensions,
    get size() {
      return size();
    },
    get bytes() {
      return held.reduce((sum, faces) => sum + faces.bytes, 0);
    },

    put(imageId, personId, vector) {
      if (vector.length !== dimensions) {
        throw new Error(`a vector of ${vector.length} numbers in a gallery of ${dimensions}`);
      }
      if (!plain.has(imageId) && compactFaces()?.put(imageId, personId, vector)) return;
      compact?.remove(imageId);
      plain.put(imageId, personId, vector);
    },

    remove(imageId) {
      for (const faces of held) faces.remove(imageId);
    },

    nearestPeople(query, { people, personId }) {
      // Of a view the library would read the buffer from its beginning.
      const own = query.slice();
      if (personId !== undefined) return nearestOfPerson(own, personId);
      for (let count = people * imagesPerPerson; ; count *= 8) {
        const rows = nearest(own, Math.min(count, size()));
        const best = firstOfEachPerson(rows).slice(0, people);
        if (best.length === people || rows.length === size()) return best;
      }
    },
  };
}

function firstOfEachPerson(sorted: readonly Neighbour[]): Neighbour[] {
  const seen = new Set<number>();
  return sorted.filter(({ personId }) => {
    if (seen.has(personId)) return false;
    seen.add(personId);
    return true;
  });
}
