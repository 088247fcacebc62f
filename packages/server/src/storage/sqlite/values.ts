import { type Bindable, checkRead, ownBuffer, refusal, toBindable } from '../bindable.js';

/**
 * Gives a value the form that the driver stores faithfully. Whole numbers become `bigint`, since the driver binds every
 * `number` as REAL.
 */
export function toSqliteValue(value: unknown): Bindable {
  const bindable = toBindable(value);
  return typeof bindable === 'number' && Number.isInteger(bindable) ? BigInt(bindable) : bindable;
}

/** The inverse: what a column holds, as plain JavaScript. Bytes come as a `Uint8Array` over a buffer of its own. */
export function fromColumn(value: unknown): Bindable {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'number') return checkRead(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (value instanceof Uint8Array) return ownBuffer(value);
  throw refusal(`a column held a ${typeof value}`);
}
