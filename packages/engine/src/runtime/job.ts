import type { ImageKind, ImageLimits, ImageSource } from '../image/image.js';
import type { TaskCall, TaskResults } from '../tasks/registry.js';

/** Who waits: a person, a queue of files, a training. A lower class runs only when no higher one waits. */
export type Priority = 'interactive' | 'batch' | 'background';

/** Decode an image once and run tasks on it, in the order given. */
export interface AnalyseJob {
  readonly kind: 'analyse';
  readonly source: ImageSource;
  readonly limits: ImageLimits;
  readonly tasks: readonly TaskCall[];
}

export interface Analysis {
  readonly image: { readonly kind: ImageKind; readonly width: number; readonly height: number };
  readonly results: TaskResults;
  /** Every model that took part, with the version that ran. */
  readonly models: readonly { readonly id: string; readonly version: string }[];
  /** Milliseconds of wall time: `queue`, `decode`, and one entry a task. */
  readonly timingsMs: Readonly<Record<string, number>>;
}

/**
 * Take a large JSON object apart away from the serving thread: the text field `field` is decoded from base64 into
 * `outPath`, everything else comes back.
 */
export interface UnpackJsonJob {
  readonly kind: 'unpack-json';
  readonly path: string;
  readonly field: string;
  readonly outPath: string;
}

export interface UnpackedJson {
  /** The object without `field`. */
  readonly rest: Readonly<Record<string, unknown>>;
  /** Bytes written to `outPath`; null when the field was absent or null, and then nothing was written. */
  readonly bytesWritten: number | null;
}

export interface RunOptions {
  readonly priority: Priority;
  /**
   * Who it is for, such as an account: owners take turns within a priority. Jobs without one are of an owner of their
   * own.
   */
  readonly owner?: string;
  readonly signal?: AbortSignal;
}

/** The model runner: the seam between the service and whatever runs models. */
export interface ModelRunner {
  analyse(job: Omit<AnalyseJob, 'kind'>, options: RunOptions): Promise<Analysis>;
  unpackJson(job: Omit<UnpackJsonJob, 'kind'>, options: RunOptions): Promise<UnpackedJson>;
}
