export interface FileHead {
  readonly fileid: string;
  /** Such as `v1.predict_image`. */
  readonly operation: string;
  readonly key_id: number;
  readonly created_at: string;
  readonly expires_at: string;
  /** Of the kept image; null when it is not kept. */
  readonly image_bytes: number | null;
  /** Names of people, titles of objects and of classes, eight at most, and the models that ran. */
  readonly summary: { readonly labels: readonly string[]; readonly models: readonly string[] };
}

/** One analysis: what was found, by which models, with which thresholds, how long it took. */
export interface FileAnalysis extends FileHead {
  readonly image: { readonly kind: string; readonly width: number; readonly height: number };
  readonly models: readonly { readonly id: string; readonly version: string }[];
  /** The calibration of the scores of objects. */
  readonly calibration: string | null;
  /** The tasks that ran, with their thresholds and limits. */
  readonly options: readonly { readonly task: string; readonly [option: string]: unknown }[];
  /** Milliseconds. */
  readonly timings_ms: Readonly<Record<string, number>>;
  /** In pixels of the image as seen; what it holds differs by operation. */
  readonly result: Readonly<Record<string, unknown>>;
}
