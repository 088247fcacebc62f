import type { EnrolmentProblem, FaceImage } from './perceptions.js';

/** Models that recognise faces together. */
export type FaceChain = 'accurate' | 'permissive';

export interface EmbeddedBy {
  /** A model with its version. */
  readonly embedder: string;
  /** Null for one of no chain of this service. */
  readonly chain: FaceChain | null;
  /** That it has described. */
  readonly images: number;
}

/** By what the images of a perception are described, and what becomes of a change of it. */
export interface EmbedderState extends EmbeddedBy {
  /** Not in use, and quick to go back to. */
  readonly kept: readonly EmbeddedBy[];
  readonly change: {
    /** `held`: all is described but what was left out; `advice` tells how to go on. */
    readonly state: 'none' | 'waiting' | 'embedding' | 'held' | 'failed';
    /** That is to come; null without a change. */
    readonly embedder: string | null;
    readonly chain: FaceChain | null;
    readonly leave_out: boolean;
    /** Images that are described or left out, and all of them. */
    readonly done: number;
    readonly total: number;
    /** Null while nobody knows. */
    readonly seconds_left: number | null;
    readonly error: string | null;
    readonly advice: string | null;
  };
  /** Images that the model of the change, else the one in use, cannot describe; the first hundred. */
  readonly left_out: {
    readonly count: number;
    readonly images: readonly {
      readonly image_id: number;
      readonly reason: 'no-face' | 'other-face' | 'image-damaged' | 'image-missing' | 'analysis-failed';
    }[];
  };
  /** Corrections by models not in use. */
  readonly inactive_corrections: number;
}

/** What became of an image that was described anew; with `no-face` nothing was changed. */
export interface ReEmbeddedImage {
  readonly outcome: 'embedded' | 'no-face';
  readonly image: FaceImage;
  readonly findings: readonly { readonly problem: EnrolmentProblem; readonly advice: string }[];
}
