import type { Kinds } from './check-names.js';

/**
 * What a call of the client sends, and how its answer is read. Arguments and options have the names that programs give them; those
 * of the wire are the same in snake case, but for `wire`.
 */
export interface Operation {
  /** Method and path; in braces an argument, or an option that is needed. */
  readonly call: string;
  /** The arguments in their order. Options come after them. */
  readonly args?: readonly string[];
  readonly query?: Kinds;
  readonly json?: Kinds;
  readonly form?: Kinds;
  /** The option with the entity tag that what is changed must have. */
  readonly etag?: string;
  readonly wire?: Readonly<Record<string, string>>;
  /** Parameters of the query that have one value in this call. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** The argument `image` goes into a form, or as base64 into JSON; its address into the query, or into JSON. */
  readonly image?: 'form' | 'json';
  /** The argument that is the whole body. */
  readonly body?: { readonly name: string; readonly type: string };
  /** Whether a repetition would create something twice. */
  readonly creates?: boolean;
  /** Whether there are a call for a page and one that walks all of them. */
  readonly paged?: boolean;
  /** Of an answer that is not JSON. */
  readonly media?: string;
  readonly as?: 'blob' | 'text' | 'stream';
  readonly reads?: 'withFileId' | 'preview' | 'events' | 'eventData';
  readonly alsoAnswers?: number;
  /** The time limit of a call that has none of its own. */
  readonly timeoutMs?: number;
}

export interface OperationTable {
  readonly [name: string]: Operation | OperationTable;
}
