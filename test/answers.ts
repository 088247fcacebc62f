/** What the tests read of the answers; the wire's own tests hold every byte of them. */
export interface V2Answer {
  readonly predictions: readonly {
    readonly class_title: string;
    readonly score: number;
    readonly model_id: string | number;
    readonly coordinates: Readonly<Record<'xmin' | 'ymin' | 'xmax' | 'ymax', number>>;
  }[];
  readonly model_type: string;
  readonly status: number;
}

interface ClassPrediction {
  readonly class_title: string;
  readonly order: string | number;
  readonly parent_object?: string;
}

export interface V1Answer {
  readonly status: string;
  readonly predictions: readonly ClassPrediction[];
  readonly objects: {
    readonly predictions: readonly {
      readonly object_title: string;
      readonly coordinates: string;
      readonly sub_predictions: readonly ClassPrediction[];
    }[];
    readonly summary: readonly unknown[];
  };
  readonly predicttype: string;
}
