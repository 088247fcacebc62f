import type { ServiceErrorCode } from './generated/api-types.js';

/**
 * What this client reports by itself: the time of the call ran out, its signal fired, no answer came, or an answer that is
 * not the service's, such as the page of a proxy.
 */
export type ClientErrorCode = 'timeout' | 'aborted' | 'network_error' | 'unreadable_answer';

/** A newer service may answer codes that this client has not heard of. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & Record<never, never>);

export interface ErrorFacts {
  /** Null when no answer came. */
  readonly httpStatus?: number | null;
  readonly requestId?: string | null;
  readonly retryAfterMs?: number | null;
  readonly current?: unknown;
  readonly cause?: unknown;
}

/** Every failed call throws one of these. The API key is in none. */
export class LynceusError extends Error {
  override readonly name = 'LynceusError';
  /** Which error it is; this never changes, while the message may. */
  readonly code: ErrorCode;
  /** Of the answer: 200 where the service answers errors so, null when no answer came. */
  readonly httpStatus: number | null;
  /** Under which the log of the service knows the request. */
  readonly requestId: string | null;
  /** How long the service asks to wait before a retry. */
  readonly retryAfterMs: number | null;
  /** What is there in place of what the call would have changed; see `labelsChangedTo`. */
  readonly current: unknown;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.httpStatus = facts.httpStatus ?? null;
    this.requestId = facts.requestId ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.current = facts.current;
  }
}
