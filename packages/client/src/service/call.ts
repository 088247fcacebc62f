import type { CallOptions } from '../options.js';

export type QueryValue = string | number | boolean | undefined;

/** One request to the service, before it is known where that is. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** From the base address on, beginning with a slash. */
  readonly path: string;
  /** What is undefined is left out. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly form?: FormData;
  readonly json?: unknown;
  /** A body of this media type, sent as it is. */
  readonly file?: { readonly type: string; readonly blob: Blob };
  /** The call does nothing, and fails, when what it changes has another entity tag by now. */
  readonly ifMatch?: string | undefined;
  /** Whether a repetition would create something twice. */
  readonly creates?: boolean;
  /** What the answer is, when not JSON: an image, text or zip is read as a Blob, an archive, a file and events as they come. */
  readonly wants?: 'image' | 'archive' | 'file' | 'zip' | 'events' | 'video' | 'frames' | 'text';
  /** An HTTP status, beside those of success, that comes with an answer and not with an error. */
  readonly alsoAnswers?: number;
}

export interface Answer {
  /** A Blob or a stream when that was wanted, undefined when there is none, else what the JSON holds. */
  readonly body: unknown;
  readonly headers: Headers;
}

/** Sends a call and reads its answer. Throws a LynceusError. */
export type Send = (call: Call, options: CallOptions) => Promise<Answer>;

/**
 * Sends a call whose answer the service's documentation describes as `Body`. What the service says is taken at its word:
 * the tests of this package hold the types to the service's schemas.
 */
export async function ask<Body>(send: Send, call: Call, options: CallOptions): Promise<Body> {
  const { body } = await send(call, options);
  return body as Body;
}
