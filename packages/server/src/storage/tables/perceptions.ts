import type { ImageKind } from '@lynceus/engine';
import type { Generated } from 'kysely';

export interface PerceptionTable {
  account_id: number;
  /** Counted with the account's models: clients name both as `model_id`. */
  id: number;
  uid: string;
  name: string;
  decision_similarity: number;
  wants_liveness: 0 | 1;
  names_recognition: 0 | 1;
  /** JSON list of the problems for which an image is refused. */
  refused_problems: string;
  /** JSON, with the embedder that it is for; null for the calibration of the embedder. */
  calibration: string | null;
  /** The embedder in use, with its version. */
  embedder: string;
  created_at: number;
  /** Since when it is being deleted; nobody sees it then. */
  deleted_at: number | null;
  /** How often its faces were changed; counted by triggers. */
  face_changes: Generated<number>;
}

export interface PersonTable {
  account_id: number;
  id: number;
  perception_id: number;
  name: string;
  /** The caller's own id of the person, unique in the perception. */
  key_id: string | null;
  /** Name and key id in small letters: the two databases' own ideas of those differ. */
  search_text: string;
  created_at: number;
}

export interface FaceImageTable {
  account_id: number;
  id: number;
  perception_id: number;
  person_id: number;
  /** By which it was added; null for one added by person id. */
  key_id: string | null;
  blob_id: string;
  image_kind: ImageKind;
  image_bytes: number;
  image_sha256: string;
  /** JSON: the face in the image, with its quality. */
  face: string;
  created_at: number;
}

export interface FaceEmbeddingTable {
  account_id: number;
  image_id: number;
  embedder: string;
  /** Little-endian 32-bit floats, of length 1 together. */
  vector: Uint8Array;
}

/** An image that an embedder cannot describe, and shall not be asked of again. */
export interface FaceNotEmbeddedTable {
  account_id: number;
  image_id: number;
  embedder: string;
  reason: NotEmbeddedReason;
}

export type NotEmbeddedReason =
  /** No face is found in the image. */
  | 'no-face'
  /** Faces are found, and none where the image's face is. */
  | 'other-face'
  | 'image-damaged'
  | 'image-missing'
  /** The analysis failed, twice: it took too long, or its process was lost. */
  | 'analysis-failed';

/** A face that a user marked as not being this person's. */
export interface FaceCorrectionTable {
  account_id: number;
  id: number;
  person_id: number;
  embedder: string;
  vector: Uint8Array;
  created_at: number;
}

/** What an account has of faces, in perceptions that are being deleted or imported too. Written by triggers alone. */
export interface FaceTotalTable {
  account_id: number;
  people: number;
  images: number;
  image_bytes: number;
  corrections: number;
}

/** The last changes to a perception's faces: images that came, went, or became another person's. Written by triggers alone. */
export interface FaceChangeTable {
  account_id: number;
  perception_id: number;
  /** What `face_changes` of the perception was counted up to. */
  change: number;
  image_id: number;
}
