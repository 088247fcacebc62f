import type { PictureKind } from '@lynceus/engine';
import type { Generated } from 'kysely';

/**
 * The tables, for SQLite and PostgreSQL alike. Times are milliseconds since 1970 in a 64-bit integer, booleans the
 * integers 0 and 1, JSON is text written by us, ids are 64-bit integers below 2^53. Every row that a customer owns
 * carries its account.
 */
export interface Schema {
  account: AccountTable;
  api_key: ApiKeyTable;
  usage: UsageTable;
  analysis: AnalysisTable;
  secret: SecretTable;
  account_counter: AccountCounterTable;
  perception: PerceptionTable;
  person: PersonTable;
  face_image: FaceImageTable;
  face_embedding: FaceEmbeddingTable;
  face_undescribed: FaceUndescribedTable;
  face_correction: FaceCorrectionTable;
  face_change: FaceChangeTable;
  job: JobTable;
  dataset: DatasetTable;
  dataset_class: DatasetClassTable;
  dataset_picture: DatasetPictureTable;
  dataset_label: DatasetLabelTable;
  model: ModelTable;
  model_version: ModelVersionTable;
}

export interface AccountTable {
  id: Generated<number>;
  /** Unique; what the command line calls it. */
  name: string;
  plan: 'paid' | 'trial';
  /** Calls the account may make in all; null: no limit. */
  call_limit: number | null;
  calls_used: Generated<number>;
  result_days: number;
  created_at: number;
}

export interface ApiKeyTable {
  id: Generated<number>;
  account_id: number;
  /** SHA-256 of the key, hexadecimal: the key itself is stored nowhere. */
  hash: string;
  /** The first characters of the key, for display. */
  prefix: string;
  name: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** Calls the key may make in all, beside the limit of its account; null: no limit of its own. */
  call_limit: Generated<number | null>;
  calls_used: Generated<number>;
}

/** Calls by key, operation and UTC day (`2026-01-31`). */
export interface UsageTable {
  account_id: number;
  key_id: number;
  operation: string;
  day: string;
  calls: number;
}

export interface AnalysisTable {
  fileid: string;
  account_id: number;
  key_id: number;
  operation: string;
  created_at: number;
  expires_at: number;
  /** The domain result, models with versions, calibration, thresholds and timings, as JSON. */
  record: string;
  /** Of the picture kept beside it; null where none is. */
  picture_bytes: number | null;
  picture_kind: PictureKind | null;
}

/** What services on one database must agree on and nobody else may know. */
export interface SecretTable {
  name: string;
  value: string;
}

/** Ids that count up from 1001 in each account. */
export interface AccountCounterTable {
  account_id: number;
  kind: CountedKind;
  /** Given last; never given again. */
  last: number;
}
export type CountedKind =
  | 'model'
  | 'person'
  | 'face_image'
  | 'face_correction'
  | 'dataset'
  | 'dataset_class'
  | 'dataset_picture';

export interface PerceptionTable {
  account_id: number;
  /** Counted with the account's models: clients name both as `model_id`. */
  id: number;
  uid: string;
  name: string;
  decision_similarity: number;
  wants_liveness: 0 | 1;
  names_recognition: 0 | 1;
  /** JSON list of the problems for which a picture is refused. */
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
  picture_kind: PictureKind;
  picture_bytes: number;
  picture_sha256: string;
  /** JSON: the face in the picture, with its quality. */
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
export interface FaceUndescribedTable {
  account_id: number;
  image_id: number;
  embedder: string;
  reason: UndescribedReason;
}
export type UndescribedReason =
  /** No face is found in the picture. */
  | 'no-face'
  /** Faces are found, and none where the image's face is. */
  | 'other-face'
  | 'picture-damaged'
  | 'picture-missing'
  /** The analysis failed, twice: it took too long, or its process was lost. */
  | 'analysis-failed';

/** A face of which somebody said that it is not this person's. */
export interface FaceCorrectionTable {
  account_id: number;
  id: number;
  person_id: number;
  embedder: string;
  vector: Uint8Array;
  created_at: number;
}

/** The last changes to a perception's faces: images that came, went, or became another person's. Written by triggers alone. */
export interface FaceChangeTable {
  account_id: number;
  perception_id: number;
  /** What `face_changes` of the perception was counted up to. */
  change: number;
  image_id: number;
}

/** Work that outlives requests and restarts; see `jobs/`. */
export interface JobTable {
  id: string;
  account_id: number;
  kind: string;
  /** What it works on, such as a perception's id; one unfinished job of a kind may be on it. */
  subject: string;
  payload: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** Since it last got on. */
  attempts: Generated<number>;
  due_at: number;
  lease_owner: Generated<string | null>;
  /** Until then nobody else takes it. */
  leased_until: Generated<number | null>;
  cancel_asked: Generated<number>;
  stage: Generated<string | null>;
  done: Generated<number>;
  total: Generated<number | null>;
  /** Of the stage. */
  seconds_left: Generated<number | null>;
  result: Generated<string | null>;
  /** For its owner to read. */
  error: Generated<string | null>;
  created_at: number;
  started_at: Generated<number | null>;
  ended_at: Generated<number | null>;
}

/** Labelled pictures to train with. */
export interface DatasetTable {
  account_id: number;
  id: number;
  uid: string;
  name: string;
  task: 'classification' | 'object_detection';
  multi_label: 0 | 1;
  created_at: number;
  /** Being deleted: nobody sees it any more. */
  deleted_at: number | null;
}

export interface DatasetClassTable {
  account_id: number;
  id: number;
  dataset_id: number;
  name: string;
}

export interface DatasetPictureTable {
  account_id: number;
  id: number;
  dataset_id: number;
  /** What it was called where it came from; unique nowhere. */
  file_name: string;
  /** The same in small letters: the two databases' own ideas of those differ. */
  search_text: string;
  blob_id: string;
  picture_kind: PictureKind;
  picture_bytes: number;
  picture_sha256: string;
  /** Hexadecimal; pictures that look alike differ in few of its bits. */
  fingerprint: string;
  /** As it is meant to be seen. */
  width: number;
  height: number;
  /** Whether somebody said what it shows; without a label then, it shows nothing of the classes. */
  labelled: 0 | 1;
  /** Null until a training needs it; then it stays. */
  split: 'train' | 'held-out' | null;
  created_at: number;
}

/** A class of a picture, or a box in it; boxes in pixels of the picture as it is meant to be seen. */
export interface DatasetLabelTable {
  account_id: number;
  picture_id: number;
  position: number;
  class_id: number;
  x_min: number | null;
  y_min: number | null;
  x_max: number | null;
  y_max: number | null;
}

/** A customer's model. */
export interface ModelTable {
  account_id: number;
  id: number;
  uid: string;
  name: string;
  description: string;
  task: 'classification' | 'object_detection';
  /** What it was trained on last. */
  dataset_id: number | null;
  /** The number of the version in use; null before there is one. */
  version: number | null;
  last_version: Generated<number>;
  created_at: number;
  deleted_at: number | null;
}

/** Its files are in a folder named by its UID. Never changed once it is there. */
export interface ModelVersionTable {
  account_id: number;
  model_id: number;
  number: number;
  uid: string;
  origin: 'training' | 'upload';
  bytes: number;
  labels: string;
  report: string | null;
  job_id: string | null;
  created_at: number;
}
