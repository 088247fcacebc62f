import { StorageError } from './storage-error.js';

/** What may reach a bind. A boolean, above all, ends the whole process inside SQLite's driver. */
export type Bindable = null | string | number | bigint | Uint8Array;

/**
 * Checks a value before it is bound, alike for both databases. Refused: what either of them, or its driver, would
 * change without a word.
 */
export function toBindable(value: unknown): Bindable {
  switch (typeof value) {
    case 'string':
      return checkText(value);
    case 'number':
      return checkNumber(value);
    case 'bigint':
      if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) {
        throw refusal('an integer of 2^53 or beyond loses digits; store it as text');
      }
      return value;
    case 'boolean':
      throw refusal('a boolean is stored as 0 or 1; bind one of these');
    case 'undefined':
      throw refusal('undefined would become NULL; bind null to mean that');
    case 'object':
      return value === null ? null : toBytes(value);
    default:
      throw refusal(`a ${typeof value} cannot be stored`);
  }
}

/** A number of a column; refused when JavaScript cannot hold it exactly. */
export function checkRead(value: number): number {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw refusal('a stored integer of 2^53 or beyond cannot be read without losing digits');
  }
  return value;
}

/** Drivers and thread messages take a view's whole buffer, so a view of a larger one is copied out. */
export function ownBuffer(view: Uint8Array): Uint8Array {
  return view.byteLength === view.buffer.byteLength ? new Uint8Array(view.buffer) : new Uint8Array(view);
}

export function refusal(why: string): StorageError {
  return new StorageError('value', `Not stored: ${why}.`);
}

const loneSurrogate = /\p{Surrogate}/u;

function checkText(text: string): string {
  // A C string ends at NUL, and a lone surrogate has no UTF-8: both would be read back as something else.
  if (text.includes('\0')) throw refusal('text holds a NUL character and would be cut there');
  if (loneSurrogate.test(text)) throw refusal('text holds half a surrogate pair and would be changed');
  return text;
}

function checkNumber(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  if (Number.isNaN(value)) throw refusal('NaN would become NULL; bind null to mean that');
  if (!Number.isFinite(value)) throw refusal('an infinite number cannot be stored');
  if (Number.isInteger(value)) throw refusal('an integer of 2^53 or beyond loses digits; store it as text');
  return value;
}

function toBytes(value: object): Uint8Array {
  if (value instanceof Uint8Array) return ownBuffer(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) {
    return ownBuffer(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  if (value instanceof Date)
    throw refusal('a Date is stored as milliseconds since 1970; bind date.getTime()');
  throw refusal('an object cannot be stored; write it as JSON text');
}
