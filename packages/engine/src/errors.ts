/**
 * Errors of the engine by code, so that each adapter can choose its own text. Crosses the process
 * boundary as `{ code, message }`.
 */
export type EngineErrorCode =
  /** No image bytes at all. */
  | 'image-empty'
  /** Not an image, or a kind that is not accepted. */
  | 'image-unsupported'
  /** An accepted kind, but truncated or damaged. */
  | 'image-corrupt'
  /** More pixels than the limit; found from the header, before decoding. */
  | 'image-too-large'
  /**
   * An accepted kind, but above a limit on what it costs: parts of its structure, or the processor time or memory of its
   * job. Another attempt would end the same way.
   */
  | 'image-too-complex'
  /** A base64 text that is not base64. */
  | 'base64-invalid'
  /** A JSON body that is not a JSON object. */
  | 'json-invalid'
  /** A model that is not installed, or whose files are damaged. */
  | 'model-missing'
  /** The queue is full, or the engine is shutting down. */
  | 'busy'
  /** The inference process of this job crashed. */
  | 'process-crashed'
  /** The model of the job exceeded its memory limit; its process was killed. */
  | 'memory'
  /** The job exceeded its time limit; its process was killed. */
  | 'timeout'
  /** The caller's AbortSignal fired. */
  | 'aborted'
  /** A bug of the engine. */
  | 'internal';

interface EngineErrorOptions extends ErrorOptions {
  /**
   * Processor time that the job took in the process that led it, in milliseconds; only of one that was ended from outside while it ran. Of an
   * aborted one until then: what the process takes to its next step, and what other processes helped, counts for the turns of its owner alone.
   */
  readonly cpuMs?: number | undefined;
  /** Whether its process was ended for memory of which earlier jobs held a part: a fresh process has more to offer. */
  readonly hadLessMemory?: boolean;
}

export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly cpuMs: number | undefined;
  readonly hadLessMemory: boolean;
  constructor(
    readonly code: EngineErrorCode,
    message: string,
    options?: EngineErrorOptions,
  ) {
    super(message, options);
    this.cpuMs = options?.cpuMs;
    this.hadLessMemory = options?.hadLessMemory ?? false;
  }
}
