export type TransferErrorCode =
  /** No data connection came about. */
  | 'not-opened'
  | 'aborted'
  /** Nothing moved for too long. */
  | 'stalled'
  /** It ended without its proper end: a reset, or TLS without its close. */
  | 'broken';

/** Why a transfer did not come to its end; the message is for the client. */
export class TransferError extends Error {
  override readonly name = 'TransferError';
  readonly code: TransferErrorCode;

  constructor(code: TransferErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Of whatever a connection threw. */
export function toTransferError(error: unknown): TransferError {
  if (error instanceof TransferError) return error;
  return new TransferError('broken', 'The data connection broke.', { cause: error });
}
