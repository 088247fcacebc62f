import { type ErrorCode, type ErrorEntry, errorCatalogue } from './catalogue.js';

/** An error that a door may show. `message` says what to mend and never holds a key or an inner address. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  get entry(): ErrorEntry {
    return errorCatalogue[this.code];
  }
}
