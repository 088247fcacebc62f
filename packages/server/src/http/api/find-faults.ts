import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** The fields of a schema's error that say what to fix. */
export interface Fault {
  readonly keyword: string;
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

/** More than any list may have whose items must differ: those are compared in a time that grows with the square of their number. */
const lookedAtItems = 200;
/** More than any schema of ours. Items are compared by recursion. */
const lookedAtDepth = 12;

/** What of a value does not fit its schema. Of long lists the beginning is looked at first, which says that they are too long. */
export function findFaults(schema: TSchema, value: unknown): readonly Fault[] {
  const found = [...Value.Errors(schema, shorten(value, 0))];
  return found.length > 0 ? found : [...Value.Errors(schema, value)];
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= lookedAtDepth) return null;
  if (Array.isArray(value)) return value.slice(0, lookedAtItems).map((item) => shorten(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shorten(field, depth + 1)]));
}
