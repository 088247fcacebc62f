import type { Bindable } from '../bindable.js';
import type { WriteResult } from '../database.js';
import { StorageError, type StorageErrorCode } from '../storage-error.js';

/** A statement as it travels: its text and its values. */
export type Statement = readonly [sql: string, parameters: readonly Bindable[]];
/** Statements that succeed or fail together. */
export type Unit = readonly Statement[];

/** Sent to a thread: units of many callers. One batch is on its way at a time. */
export type Batch = readonly Unit[];

/** What became of one unit, in the order of the batch. */
export type Outcome = readonly WriteResult[] | Failure;
export interface Failure {
  readonly code: StorageErrorCode;
  readonly message: string;
}

/** Sent by a thread: once that it is open or why not, then one answer a batch. */
export type Report =
  | { readonly kind: 'open' }
  | { readonly kind: 'not-open'; readonly failure: Failure }
  | { readonly kind: 'done'; readonly outcomes: readonly Outcome[] };

export function isFailure(outcome: Outcome): outcome is Failure {
  return !Array.isArray(outcome);
}

export function toFailure(error: unknown): Failure {
  if (error instanceof StorageError) return { code: error.code, message: error.message };
  return { code: 'internal', message: error instanceof Error ? error.message : String(error) };
}

export function fromFailure(failure: Failure): StorageError {
  return new StorageError(failure.code, failure.message);
}
