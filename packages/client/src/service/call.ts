import type { CallOptions } from '../options.js';

/** One request to the service, before it is known where that is. */
export interface Call {
  readonly method: string;
  /** From the base address on, beginning with a slash. */
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly form?: FormData | undefined;
  readonly json?: unknown;
  /** A body of this media type, sent as it is. */
  readonly file?: { readonly type: string; readonly blob: Blob } | undefined;
  /** The call does nothing, and fails, when what it changes has another entity tag by now. */
  readonly ifMatch?: string | undefined;
  /** Whether a repetition would create something twice. */
  readonly creates?: boolean | undefined;
  /** The media types of the answer, when it is not JSON, as in the header Accept; and what becomes of it. */
  readonly media?: string | undefined;
  readonly as?: 'blob' | 'text' | 'stream' | undefined;
  /** An HTTP status, beside those of success, that comes with an answer and not with an error. */
  readonly alsoAnswers?: number | undefined;
}

export interface Answer {
  /** What `as` of the call says, undefined when there is no body, else what the JSON holds. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** Sends a call and reads its answer. Throws a LynceusError. */
export type Send = (call: Call, options: CallOptions) => Promise<Answer>;
