import type { FrameSource, ImageKind, ImageLimits, ImageSource } from '../image/image.js';
import type { TaskCall, TaskResults } from '../tasks/registry.js';
import type { Priority } from './priority.js';

/** Decode an image once and run tasks on it, in the order given. */
export interface AnalyseJob {
  readonly kind: 'analyse';
  readonly source: ImageSource | FrameSource;
  readonly limits: ImageLimits;
  readonly tasks: readonly TaskCall[];
}

export interface Analysis {
  /** `kind` says how it was encoded; a frame was not. */
  readonly image: {
    readonly kind: ImageKind | 'frame';
    readonly width: number;
    readonly height: number;
    /** Of Exif, 1 to 8, when it is another than 1: how the pixels are stored. */
    readonly orientation?: number;
  };
  readonly results: TaskResults;
  /** Every model that was used, with its version. */
  readonly models: readonly { readonly id: string; readonly version: string }[];
  /** Milliseconds of wall time: `queue`, `decode`, and one entry a task. */
  readonly timingsMs: Readonly<Record<string, number>>;
}

/**
 * Parse a large JSON object outside the serving thread: the text field `field` is decoded from base64 into
 * `outPath`, the rest is returned.
 */
export interface UnpackJsonJob {
  readonly kind: 'unpack-json';
  readonly path: string;
  readonly field: string;
  readonly outPath: string;
  /** Another long text, of a second image: it is left out of the rest. */
  readonly otherField?: string;
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
   * The owner of the job, such as an account: owners are served round robin within a priority. Jobs without one share an
   * own.
   */
  readonly owner?: string;
  readonly signal?: AbortSignal;
}

/** The interface between the service and whatever runs models. */
export interface ModelRunner {
  analyse(job: Omit<AnalyseJob, 'kind'>, options: RunOptions): Promise<Analysis>;
  unpackJson(job: Omit<UnpackJsonJob, 'kind'>, options: RunOptions): Promise<UnpackedJson>;
}
