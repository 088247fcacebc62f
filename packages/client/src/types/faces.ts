/** What `faces.search` finds. */
export interface FaceSearch {
  readonly status: 'ok';
  /** As asked; -1: no filter. */
  readonly person_id_filter: number;
  /** The faces that match somebody. */
  readonly faces_detected: readonly MatchedFace[];
  readonly face_recog_hit: boolean;
  readonly face_count: number;
  readonly post_type: 'face_search';
  /** All faces of the image, matched or not. */
  readonly faces: readonly SearchedFace[];
  /** Candidates over all faces, best first, one a person. */
  readonly similar_faces: readonly SimilarFace[];
}

export interface MatchedFace {
  readonly person_name: string;
  /** 0 to 1. */
  readonly similarity: number;
  /** `X1,X2,Y1,Y2` in pixels: of the face in the image; in `similar_faces`, in the stored image. */
  readonly coordinates: string;
  readonly image_url: string;
  readonly person_id: number;
  readonly key_id: string | null;
}

export interface SearchedFace {
  /** `unknown` when nobody matches. */
  readonly person_name: string;
  readonly similarity: number;
  readonly face_live: boolean | null;
  readonly coordinates: string;
  /** -1 when nobody matches. */
  readonly person_id: number;
  readonly key_id: string | null;
  readonly face_live_status_description: string | null;
}

export interface SimilarFace extends MatchedFace {
  /** The rank, from 1. */
  readonly order: number;
}

/** The result of `faces.createPerson`. `status` above 0 is the new person's id; 0 or below is a refusal, not an error. */
export interface CreatedPerson {
  readonly status: number;
  readonly status_description: string;
  readonly post_type: 'create_person';
  /** The new person, or -1 when there is none. */
  readonly person_id: number;
}

/** The result of inserting an image. `status` above 0 is the image's id; 0 or below is a refusal, not an error. */
export interface InsertedImage {
  readonly status: number;
  readonly status_description: string;
  readonly post_type: 'insert_person_image';
}
