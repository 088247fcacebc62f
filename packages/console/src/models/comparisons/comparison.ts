/** The result of a comparison, as the service writes it. */
export interface Comparison {
  readonly task: 'classification' | 'object_detection';
  readonly dataset_id: number;
  readonly images: number;
  readonly versions: readonly ComparedVersion[];
  /** Of classifiers: images that only the one has right, and how likely such a difference is by chance. */
  readonly only_first_right?: number;
  readonly only_second_right?: number;
  readonly p_value?: number;
  readonly differences?: readonly {
    readonly image_id: number;
    readonly shown: readonly string[];
    readonly answered: readonly [readonly string[], readonly string[]];
  }[];
  /** Of detectors, with a 95 % interval. */
  readonly ap50_difference?: {
    readonly value: number;
    readonly interval: { readonly low: number; readonly high: number };
  };
  readonly notes: readonly string[];
}

export interface ComparedVersion {
  readonly number: number;
  readonly missing_classes: readonly string[];
  readonly accuracy?: number;
  readonly balanced_accuracy?: number;
  readonly ap50?: number;
  readonly ap?: number;
  readonly precision?: number;
  readonly recall?: number;
}
