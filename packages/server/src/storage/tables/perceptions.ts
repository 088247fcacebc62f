import type { ImageKind } from '@lynceus/engine';
import { bytes, number, real, table, text } from './define-table.js';
import { listChanges } from './face-changes.js';
import { countFaces } from './face-totals.js';

export const perception = table(
  {
    account_id: number().references('account', 'cascade'),
    /** Counted with the account's models: clients name both as `model_id`. */
    id: number(),
    uid: text().unique(),
    name: text(),
    decision_similarity: real().check('between 0 and 1'),
    wants_liveness: number<0 | 1>(),
    names_recognition: number<0 | 1>(),
    /** JSON list of the problems for which an image is refused. */
    refused_problems: text(),
    /** JSON, with the embedder that it is for; null for the calibration of the embedder. */
    calibration: text().orNull(),
    /** The embedder in use, with its version. */
    embedder: text(),
    created_at: number(),
    /** Since when it is being deleted; nobody sees it then. */
    deleted_at: number().orNull(),
    /** How often its faces were changed; counted by triggers. */
    face_changes: number().default(0),
  },
  { key: ['account_id', 'id'], deleted: {} },
);

export const person = table(
  {
    account_id: number(),
    id: number(),
    perception_id: number(),
    name: text(),
    /** The caller's own id of the person, unique in the perception. */
    key_id: text().orNull(),
    /** Name and key id in small letters: the two databases' own ideas of those differ. */
    search_text: text(),
    created_at: number(),
  },
  {
    key: ['account_id', 'id'],
    unique: { key_id: ['account_id', 'perception_id', 'key_id'] },
    references: { perception: { column: 'perception_id', table: 'perception', cascade: true } },
    deleted: {},
  },
);

export const faceImage = table(
  {
    account_id: number(),
    id: number(),
    perception_id: number(),
    person_id: number(),
    /** By which it was added; null for one added by person id. */
    key_id: text().orNull(),
    blob_id: text().unique(),
    image_kind: text<ImageKind>(),
    image_bytes: number(),
    image_sha256: text(),
    /** JSON: the face in the image, with its quality. */
    face: text(),
    created_at: number(),
  },
  {
    key: ['account_id', 'id'],
    references: { person: { column: 'person_id', table: 'person' } },
    indexes: {
      of_person: ['account_id', 'person_id', 'id'],
      perception: ['account_id', 'perception_id', 'id'],
    },
    deleted: { bytes: 'image_bytes' },
  },
);

export const faceEmbedding = table(
  {
    account_id: number(),
    image_id: number(),
    embedder: text(),
    /** Little-endian 32-bit floats, of length 1 together. */
    vector: bytes(),
  },
  {
    key: ['account_id', 'image_id', 'embedder'],
    references: { image: { column: 'image_id', table: 'face_image', cascade: true } },
    deleted: {},
  },
);

/** An image that an embedder cannot describe, and shall not be asked of again. */
export const faceNotEmbedded = table(
  {
    account_id: number(),
    image_id: number(),
    embedder: text(),
    reason: text<NotEmbeddedReason>(),
  },
  {
    key: ['account_id', 'image_id', 'embedder'],
    references: { image: { column: 'image_id', table: 'face_image', cascade: true } },
    deleted: {},
  },
);

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
export const faceCorrection = table(
  {
    account_id: number(),
    id: number(),
    person_id: number(),
    embedder: text(),
    vector: bytes(),
    created_at: number(),
  },
  {
    key: ['account_id', 'id'],
    references: { person: { column: 'person_id', table: 'person', cascade: true } },
    indexes: { of_person: ['account_id', 'person_id'] },
    deleted: {},
  },
);

/** What an account has of faces, in perceptions that are being deleted or imported too. Written by triggers alone. */
export const faceTotal = table(
  {
    account_id: number().primaryKey().references('account', 'cascade'),
    people: number().default(0),
    images: number().default(0),
    image_bytes: number().default(0),
    corrections: number().default(0),
  },
  { deleted: {}, triggers: countFaces },
);

/** The last changes to a perception's faces: images that came, went, or became another person's. Written by triggers alone. */
export const faceChange = table(
  {
    account_id: number(),
    perception_id: number(),
    /** What `face_changes` of the perception was counted up to. */
    change: number(),
    image_id: number(),
  },
  {
    key: ['account_id', 'perception_id', 'change'],
    references: { perception: { column: 'perception_id', table: 'perception', cascade: true } },
    deleted: {},
    triggers: listChanges,
  },
);
