/** In pixels of the image as it is meant to be seen. */
export interface Box {
  readonly xmin: number;
  readonly ymin: number;
  readonly xmax: number;
  readonly ymax: number;
}

/** What `detect` finds. */
export interface Detection {
  /** Best first. */
  readonly predictions: readonly {
    readonly class_title: string;
    /** 0 to 1. */
    readonly score: number;
    readonly model_id: string;
    readonly model_title: string;
    readonly coordinates: Box;
  }[];
  readonly model_type: 'object_detection' | 'classification';
  readonly status: 1;
  readonly status_description: string;
}

/** What `detectObjects` finds. */
export interface ObjectDetection {
  readonly status: 'ok';
  readonly prediction_type: 'object_detection';
  readonly predictions: readonly {
    readonly class_title: string;
    readonly model_id: number;
    /** 0 to 1. */
    readonly score: number;
    readonly coordinates: Box;
  }[];
}
