import { type ErrorCode, type ErrorEntry, errorCatalogue } from './error-catalogue.js';

interface ServiceErrorOptions extends ErrorOptions {
  /** When trying again can help, in whole seconds; unless given, what the catalogue says. */
  readonly retryAfterSeconds?: number | undefined;
  /** What a program needs to go on, as a further member of the body of the management API. */
  readonly current?: object | undefined;
}

/** An error that a client may see. `message` says what to fix and never contains a key or an internal address. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly retryAfterSeconds: number | undefined;
  readonly current: object | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: ServiceErrorOptions = {},
  ) {
    super(message, options);
    this.current = options.current;
    this.retryAfterSeconds = options.retryAfterSeconds ?? this.entry.retryAfterSeconds;
  }

  get entry(): ErrorEntry {
    return errorCatalogue[this.code];
  }
}
