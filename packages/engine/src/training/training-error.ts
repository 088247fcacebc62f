/**
 * Why a training gave nothing. Crosses the process boundary as `{ code, message }`; every message says what to mend,
 * except that of a fault.
 */
export type TrainingErrorCode =
  /** What was given cannot be trained on: labels that nothing shows, too few images, none that opens. */
  | 'impossible'
  /** The backbone is not installed, or not one that this training knows. */
  | 'model-missing'
  /** The caller's AbortSignal fired. */
  | 'cancelled'
  /** The training grew beyond its memory. */
  | 'too-large'
  /** The training ran past its time. */
  | 'timed-out'
  /** The process was lost: a crash, or somebody killed it. */
  | 'process-crashed'
  /** A fault of ours. */
  | 'fault';

export class TrainingError extends Error {
  override readonly name = 'TrainingError';
  constructor(
    readonly code: TrainingErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
