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

export interface NearestQuery {
  /** How many people at most. */
  readonly people: number;
  /** This person alone. */
  readonly personId?: number | undefined;
}

/** What is in the memory of this process; nothing for an index that lives elsewhere. */
interface FaceIndexStats {
  readonly galleries: number;
  readonly faces: number;
  /** Of vectors. */
  readonly bytes: number;
}

/**
 * Finds the people whose faces are nearest, exactly. The database holds the truth and lists its changes, so nobody tells
 * the index of one: a search finds what was committed before it began, by whichever program.
 */
export interface FaceIndex {
  /** Best first, one entry a person. Empty for a gallery without faces. Throws `service_busy`. */
  nearestPeople(
    gallery: GalleryRef,
    query: Float32Array,
    wanted: NearestQuery,
  ): Promise<readonly Neighbour[]>;
  /** Reads what a first search would have to wait for. */
  prepare(gallery: GalleryRef): Promise<void>;
  /** The gallery is gone, or is no longer worth its room. One that is searched again is read again. */
  drop(gallery: GalleryRef): Promise<void>;
  stats(): FaceIndexStats;
  close(): Promise<void>;
}
