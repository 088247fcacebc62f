import type { Static, TObject, TProperties } from 'typebox';
import { type CamelName, toCamelName } from '../../core/snake-names.js';
import { toTime } from './fields.js';

/** What a domain has of an answer: the field `created_at` is its `createdAt`, in milliseconds. Lists are its own. */
type RowOf<Answer> = {
  readonly [Name in keyof Answer as CamelName<Name & string>]: Field<Name, Answer[Name]>;
};
type Field<Name, Value> = Name extends `${string}_at`
  ? null extends Value
    ? number | null
    : number
  : ReadonlyList<Value>;
type ReadonlyList<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

/**
 * The fields of a schema, each from the field of the row with the same name, and no others: a new field is named in the schema
 * alone. `own` has those whose names or values differ from the row's. A name that ends with `_at` is a time.
 */
export function toAnswer<Properties extends TProperties, Own = Record<never, never>>(
  { properties }: TObject<Properties>,
  row: RowOf<Omit<Static<TObject<Properties>>, keyof Own>>,
  own?: Own & Partial<Static<TObject<Properties>>>,
): Static<TObject<Properties>> {
  const values = new Map<string, unknown>(Object.entries(row));
  const others = new Map<string, unknown>(Object.entries(own ?? {}));
  const toField = (name: string): unknown => {
    if (others.has(name)) return others.get(name);
    const value = values.get(toCamelName(name));
    return name.endsWith('_at') && typeof value === 'number' ? toTime(value) : value;
  };
  const names = Object.keys(properties);
  return Object.fromEntries(names.map((name) => [name, toField(name)])) as Static<TObject<Properties>>;
}
