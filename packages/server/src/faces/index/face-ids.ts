import type { Neighbour } from './face-index.js';

/** Whose face is in which row. Rows have no gaps: the last one moves into one that is removed. */
export interface FaceIds {
  readonly size: number;
  has(imageId: number): boolean;
  /** The row of the image, which is a new last one for a new image. */
  put(imageId: number, personId: number): number;
  /** Undefined for an unknown image. Else the caller moves the contents of the row `last` into `row`. */
  remove(imageId: number): { readonly row: number; readonly last: number } | undefined;
  rowsOf(personId: number): Iterable<number>;
  neighbour(row: number, cosine: number): Neighbour;
}

export function createFaceIds(): FaceIds {
  const imageIds: number[] = [];
  const personIds: number[] = [];
  const rowOf = new Map<number, number>();

  return {
    get size() {
      return imageIds.length;
    },
    has: (imageId) => rowOf.has(imageId),

    put(imageId, personId) {
      const row = rowOf.get(imageId) ?? imageIds.length;
      rowOf.set(imageId, row);
      imageIds[row] = imageId;
      personIds[row] = personId;
      return row;
    },

    remove(imageId) {
      const row = rowOf.get(imageId);
      if (row === undefined) return undefined;
      const last = imageIds.length - 1;
      const lastImage = imageIds.pop();
      const lastPerson = personIds.pop();
      if (row !== last && lastImage !== undefined && lastPerson !== undefined) {
        imageIds[row] = lastImage;
        personIds[row] = lastPerson;
        rowOf.set(lastImage, row);
      }
      rowOf.delete(imageId);
      return { row, last };
    },

    *rowsOf(personId) {
      for (let row = personIds.indexOf(personId); row >= 0; row = personIds.indexOf(personId, row + 1)) {
        yield row;
      }
    },

    neighbour: (row, cosine) => ({ personId: personIds[row] ?? 0, imageId: imageIds[row] ?? 0, cosine }),
  };
}
