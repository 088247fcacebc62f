/** Faces that are searched together: those of one perception, described by one embedder. */
export interface GalleryRef {
  readonly accountId: number;
  readonly perceptionId: number;
  /** The embedder with its version: vectors of two are never compared. */
  readonly embedder: string;
}

/** The vector has length 1. */
export interface IndexedFace {
  readonly imageId: number;
  readonly personId: number;
  readonly vector: Float32Array;
}

/** The image of a person that is nearest to what was asked for; the cosine is from -1 to 1. */
export interface Neighbour {
  readonly personId: number;
  readonly imageId: number;
  readonly cosine: number;
}

export interface NearestWanted {
  /** How many people at most. */
  readonly people: number;
  /** This person alone. */
  readonly personId?: number | undefined;
}

/**
 * Finds the people whose faces are nearest, exactly. The database holds the truth: what is told here was committed there
 * before, and once a promise resolves every later search knows it.
 */
export interface FaceIndex {
  /** Best first, one entry a person. Empty for a gallery without faces. */
  nearestPeople(
    gallery: GalleryRef,
    query: Float32Array,
    wanted: NearestWanted,
  ): Promise<readonly Neighbour[]>;
  add(gallery: GalleryRef, faces: readonly IndexedFace[]): Promise<void>;
  remove(gallery: GalleryRef, imageIds: readonly number[]): Promise<void>;
  /** These images are another person's now. */
  assign(gallery: GalleryRef, imageIds: readonly number[], personId: number): Promise<void>;
  /** The gallery is gone, or is no longer worth its memory. */
  drop(gallery: GalleryRef): Promise<void>;
  stats(): { readonly galleries: number; readonly faces: number; readonly bytes: number };
  close(): Promise<void>;
}
