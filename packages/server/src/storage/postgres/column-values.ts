import { type Bindable, checkRead, refusal } from '../bindable.js';

type Reader = (text: string) => Bindable;

const asText: Reader = (text) => text;
const asNumber: Reader = (text) => checkRead(Number(text));

/** Sums are `numeric`: exact, and of any length. */
const asExactNumber: Reader = (text) => {
  const digits = text.replace(/^-?0*\.?0*|\./g, '').length;
  if (!/^-?\d+(\.\d+)?$/.test(text) || (text.includes('.') && digits > 15)) {
    throw refusal('a numeric that JavaScript cannot hold; cast it to bigint or double precision');
  }
  return asNumber(text);
};

const asBytes: Reader = (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'));

/** By the type's number in `pg_type`: the types of the schema and of what is computed from it. */
const readers: ReadonlyMap<number, Reader> = new Map([
  [16, (text) => (text === 't' ? 1 : 0)],
  [17, asBytes],
  [18, asText],
  [19, asText],
  [20, asNumber],
  [21, asNumber],
  [23, asNumber],
  [25, asText],
  [26, asNumber],
  [700, asNumber],
  [701, asNumber],
  [705, asText],
  [1042, asText],
  [1043, asText],
  [1700, asExactNumber],
  // What a function without a result answers, such as taking a lock.
  [2278, asText],
]);

/**
 * How a column's text becomes the value that SQLite would have given: numbers exact or refused, booleans 0 and 1, bytes
 * over a buffer of their own.
 */
export function readerOf(type: number): Reader {
  return (
    readers.get(type) ??
    (() => {
      throw refusal(`a column of PostgreSQL's type ${type} is none that both databases have; cast it`);
    })
  );
}
