import type { Neighbour } from './face-index.js';

/** Whose face is in which row. Rows have no gaps: the last one moves into one that is removed. */
export function createFaceIds() {
  const imageIds: number[] = [];
  const personIds: number[] = [];
  const rowOf = new Map<number, number>();

  return {
    get size(): number {
      return imageIds.length;
    },
    has: (imageId: number): boolean => rowOf.has(imageId),

    /** The row of the image, which is a new last one for a new image. */
    put(imageId: number, personId: number): number {
      const row = rowOf.get(imageId) ?? imageIds.length;
      rowOf.set(imageId, row);
      imageIds[row] = imageId;
      personIds[row] = personId;
      return row;
    },

    /** Undefined for an unknown image. Else the caller moves the contents of the row `last` into `row`. */
    remove(imageId: number): { readonly row: number; readonly last: number } | undefined {
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

    *rowsOf(personId: number): Iterable<number> {
      for (let row = personIds.indexOf(personId); row >= 0; row = personIds.indexOf(personId, row + 1)) {
        yield row;
      }
    },

    neighbour: (row: number, cosine: number): Neighbour => ({
      personId: personIds[row] ?? 0,
      imageId: imageIds[row] ?? 0,
      cosine,
    }),
  };
}
