/**
 * Why a training run failed. Crosses the process boundary as `{ code, message }`; every message says what to fix,
 * except that of a bug.
 */
export type TrainingErrorCode =
  /** The input cannot be trained on: labels without images, too few images, no readable image. */
  | 'impossible'
  /** The backbone is not installed, or not one that this training knows. */
  | 'model-missing'
  /** The caller's AbortSignal fired. */
  | 'cancelled'
  /** The training run exceeded its memory limit. */
  | 'too-large'
  /** The training run exceeded its time limit. */
  | 'timed-out'
  /** The disk of this machine has no room for what it writes. */
  | 'disk-full'
  /** The process crashed or was killed. */
  | 'process-crashed'
  /** A bug of the engine. */
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
