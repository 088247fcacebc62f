/** The parts of a training report that the page shows; docs/training.md describes all of it. Shares are 0 to 1. */
export type Report = ClassifierReport | DetectorReport;

export interface ClassifierReport {
  readonly kind: 'classification';
  readonly datasetId: number;
  readonly labels: readonly { readonly id: string; readonly title: string }[];
  readonly measuredOn: 'held-out' | 'cross-validation';
  readonly images: { readonly train: number };
  /** Images that the written model was trained on; absent in older reports. */
  readonly lastFit?: { readonly images: number };
  /** Shares of images that count as unlike the training images; absent in older reports. */
  readonly unlikeTraining?: { readonly heldOut: ShareOf; readonly shipped: ShareOf };
  readonly figures: {
    readonly images: number;
    readonly accuracy: number;
    readonly interval: { readonly low: number; readonly high: number };
    readonly balancedAccuracy: number;
    readonly classes: readonly {
      readonly label: number;
      readonly trained: number;
      readonly measured: number;
      readonly precision: number | null;
      readonly recall: number | null;
    }[];
    /** Row: labelled class; column: predicted class. */
    readonly confusion?: readonly (readonly number[])[];
  };
  readonly mistakes: readonly {
    readonly image: string;
    readonly shown: readonly number[];
    readonly answered: readonly number[];
    readonly score: number;
  }[];
  readonly learningCurve: readonly { readonly images: number; readonly balancedAccuracy: number }[];
  readonly advice: readonly string[];
  readonly warnings: readonly string[];
}

export interface DetectorReport {
  readonly kind: 'object_detection';
  readonly datasetId: number;
  readonly measuredWith: 'held-out' | 'cross-validation';
  readonly learntOf: { readonly images: number };
  readonly lastFit?: { readonly images: number };
  readonly secondLook?: { readonly isUsed: boolean };
  readonly falseBoxes: { readonly own: ShareOf; readonly shipped: ShareOf };
  readonly measuredOn: { readonly images: number; readonly boxes: number };
  readonly overall: DetectorFigures;
  readonly labels: readonly {
    readonly label: string;
    readonly boxes: number;
    readonly figures: DetectorFigures | null;
  }[];
  readonly mistakes: readonly {
    readonly kind: 'missed' | 'false' | 'wrong-class' | 'poor-overlap';
    readonly image: string;
    readonly label: string;
    readonly expectedLabel?: string;
    readonly score?: number;
  }[];
  readonly byImages: readonly { readonly images: number; readonly ap50: number }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** The share is null where there is no image. */
export interface ShareOf {
  readonly images: number;
  readonly share: number | null;
}

export interface DetectorFigures {
  readonly ap50: number;
  readonly ap: number;
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}
