/** Limits of a model file; one above any of these is refused. */
export interface UploadLimits {
  /** Of all uploaded files together. */
  readonly maxFileBytes: number;
  /** Of everything in a zip, unpacked. */
  readonly maxUnpackedBytes: number;
  /** Resident memory of the process that reads and tries the model. */
  readonly maxRssBytes: number;
  /** From the start of that process to the end of the trial. */
  readonly timeoutMs: number;
}

export const defaultUploadLimits: UploadLimits = {
  maxFileBytes: 512 * 1024 ** 2,
  maxUnpackedBytes: 1024 ** 3,
  maxRssBytes: 4 * 1024 ** 3,
  timeoutMs: 120_000,
};

/** Nodes of all graphs of a file together; the largest detectors in use have some 5,000. */
export const maxNodes = 100_000;
/** Graphs within graphs. */
export const maxNesting = 8;
/** Files in a zip. */
export const maxZipEntries = 1_000;
/** Names of classes of a model, and the length of each. */
export const maxLabels = 20_000;
export const maxLabelLength = 200;
/** Bytes of a file beside a model with its names or its preprocessing. */
export const maxHintFileBytes = 2_000_000;
