/** What general recognition may look for. */
export type RecognitionPart = 'classes' | 'objects' | 'texts' | 'faces';

export type PredictType = 'dense' | 'basic';

/** What `recognise` finds. */
export interface Recognition {
  readonly status: 'ok';
  /** The address of the image, when it was given as one. */
  readonly url?: string;
  /** Classes and titles of objects of the whole image, the most relevant first. */
  readonly predictions: readonly RankedClass[];
  readonly texts: Texts;
  readonly objects: Objects;
  readonly faces: Faces;
  readonly predicttype: PredictType;
  /** For `files.read`. */
  readonly fileid: string;
  readonly predict_type: PredictType;
}

export interface RankedClass {
  readonly class_title: string;
  /** A whole number from 1, as text. */
  readonly order: string;
  /** The object that the class describes. */
  readonly parent_object?: string;
  readonly score: number;
}

export interface Texts {
  readonly status: string;
  readonly predictions: readonly TextLine[];
  readonly summary: readonly { readonly text_value: string; readonly count: string }[];
}

export interface TextLine {
  readonly text_value: string;
  /** `X1,X2,Y1,Y2` in pixels. */
  readonly coordinates: string;
  readonly score: number;
  /** Four corners, each x and y in pixels, clockwise from the upper left as one reads. */
  readonly polygon: readonly (readonly number[])[];
}

export interface Objects {
  readonly predictions: readonly RecognisedObject[];
  readonly summary: readonly { readonly count: string; readonly object_title: string }[];
}

export interface RecognisedObject {
  readonly sub_predictions: readonly SubPrediction[];
  readonly object_title: string;
  /** `X1,X2,Y1,Y2` in pixels. */
  readonly coordinates: string;
  readonly score: number;
}

export interface SubPrediction {
  readonly class_title: string;
  readonly order: number;
  readonly parent_object: string;
  readonly score: number;
}

export interface Faces {
  readonly face_count: number;
  /** `coordinates` are `X1,X2,Y1,Y2` in pixels. */
  readonly predictions: readonly { readonly face_name: string; readonly coordinates: string }[];
}

/** What `recogniseWith` finds. */
export interface CustomRecognition {
  readonly status: 'ok';
  readonly model_id: string;
  /** The address of the image, when it was given as one. */
  readonly url?: string;
  readonly predictions: readonly {
    readonly class_title: string;
    readonly order: number;
    readonly score: number;
  }[];
  readonly prediction_type: 'image';
  readonly predict_type: 'image';
}
