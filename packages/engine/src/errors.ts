/**
 * What can go wrong in the engine, told by code so that a door can choose its own words. Crosses the process
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
  /** A base64 text that is not base64. */
  | 'base64-invalid'
  /** A JSON body that is not a JSON object. */
  | 'json-invalid'
  /** A model that is not installed, or whose files are damaged. */
  | 'model-missing'
  /** The queue is full, or the engine is shutting down. */
  | 'busy'
  /** The inference process working on this job was lost. */
  | 'process-crashed'
  /** The job took more memory than it may; its process was ended. */
  | 'memory'
  /** The job ran past its time limit; its process was ended. */
  | 'timeout'
  /** The caller's AbortSignal fired. */
  | 'aborted'
  /** A fault of ours. */
  | 'internal';

export class EngineError extends Error {
  override readonly name = 'EngineError';
  constructor(
    readonly code: EngineErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
