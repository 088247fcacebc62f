import { DropError, type DropErrorCode } from '../drop-error.js';
import { type StatusCode, statusCodes } from './protocol.js';

/** A request that is refused; the message is for the client. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: StatusCode;

  constructor(code: StatusCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Version 3 has few codes: the message says which failure it is. */
const dropCodes: Readonly<Partial<Record<DropErrorCode, StatusCode>>> = {
  'not-found': statusCodes.noSuchFile,
  'read-only': statusCodes.permissionDenied,
};

interface ErrorStatus {
  readonly code: StatusCode;
  readonly message: string;
}

/** The answer to an error that a client caused; null for an internal error. */
export function statusOfError(error: unknown): ErrorStatus | null {
  if (error instanceof Refusal) return { code: error.code, message: error.message };
  if (error instanceof DropError)
    return { code: dropCodes[error.code] ?? statusCodes.failure, message: error.message };
  return null;
}
