/** The result of a training job, as the service writes it. */
export interface RunResult {
  readonly version: number;
  readonly activated: boolean;
  readonly figures:
    | ({ readonly measured_on: 'held-out' | 'cross-validation'; readonly images: number } & (
        | { readonly accuracy: number; readonly balanced_accuracy: number }
        | {
            readonly ap50: number;
            readonly ap: number;
            readonly precision: number;
            readonly recall: number;
            readonly f1: number;
          }
      ))
    | null;
}
