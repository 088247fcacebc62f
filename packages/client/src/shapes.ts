import type { CompatSettings, DatasetBox, DatasetTask, Recognition } from './generated/api-types.js';
import type { CallOptions } from './options.js';

export type { AccountEvent } from './account-event.js';

// Types of arguments, options and answers that the OpenAPI document has in another form, or not at all.

/** A point in time; as text with its offset, such as `2026-01-31T12:00:00Z`. */
export type Moment = Date | string;

export type ModelTask = DatasetTask;

/** A file with its name, or one of a `File`'s own. */
export type NamedImage = File | { readonly name: string; readonly content: Blob };

export interface LabelInput {
  readonly classId: number;
  /** In object detection. */
  readonly box?: DatasetBox | undefined;
}

/** An answer whose body has no `fileid` of its own. */
export type WithFileId<Body> = Body & {
  /** For `files.read`; null when the header with it was lost on the way. */
  readonly fileid: string | null;
};

/** An image as every browser shows it. */
export interface Preview {
  /** A JPEG, upright. */
  readonly image: Blob;
  /** Of the image that was given, upright: boxes are in its pixels. */
  readonly width: number;
  readonly height: number;
}

/** What general recognition answers for an image, of a frame; under its `fileid` nothing is kept. */
export interface StreamTags extends Recognition {
  readonly stream_id: number;
  readonly frame_time: string;
}

/** Whose images: all of a perception, or those of a person. */
export type ImagesOf = { readonly modelId: number } | { readonly personId: number };

/** To a person of the perception, or to a new person of this name. */
export type MoveImagesOptions = CallOptions & ({ readonly personId: number } | { readonly name: string });

/** A curve, or `ownPeople`: the one that the perception's people give. */
export type ChangeCalibrationOptions = CallOptions &
  ({ readonly midpoint: number; readonly slope: number } | { readonly ownPeople: true });

export interface NewRun {
  readonly datasetId: number;
  /** Whether a classifier has a class more, for images that show none of the others; false unless given. */
  readonly noneOfThese?: boolean | undefined;
  /** Whether a detector looks again at its boxes where that helps: fewer false ones, slower; true unless given. */
  readonly secondLook?: boolean | undefined;
  /** The same images and the same seed give the same model. */
  readonly seed?: number | undefined;
  /** Whether to activate the version when it is trained; true unless given. */
  readonly activate?: boolean | undefined;
}

export interface NewComparison {
  /** Numbers of two versions. */
  readonly versions: readonly [number, number];
  /** Whose held-out images are asked about; what the model was trained on last unless given. */
  readonly datasetId?: number | undefined;
}

/** What a client of another service cannot say. */
export interface CompatOptions {
  readonly protocol: CompatSettings['protocol'];
  /** Whose people are named; clients of CompreFace need one. */
  readonly perception?: string | null | undefined;
  /** The detector; the default one unless given. */
  readonly model?: string | null | undefined;
  /** Detectors by the names that clients ask for. */
  readonly models?: Readonly<Record<string, string>> | undefined;
  /** What classes are called for this client, by their titles. */
  readonly aliases?: Readonly<Record<string, string>> | undefined;
  /** From 0 to 1; the client may ask for more, not for less. */
  readonly minConfidence?: number | null | undefined;
  readonly maxPredictions?: number | null | undefined;
}
