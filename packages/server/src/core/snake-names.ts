/** Names as they are on the wire, `keep_done_days` for `keepDoneDays`, and back. */

type SnakeName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeName<Rest>}`
  : Name;
export type CamelName<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelName<Rest>>}`
  : Name;

/** The same fields by their names on the wire. */
export type Snake<Fields> = { [Name in keyof Fields as SnakeName<Name & string>]: Fields[Name] };
type Camel<Fields> = { [Name in keyof Fields as CamelName<Name & string>]: Fields[Name] };

export function toSnakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Of the object's own fields; what is within them stays as it is. */
export function toSnake<Fields extends object>(fields: Fields): Snake<Fields> {
  return renamed(fields, toSnakeName) as Snake<Fields>;
}

export function toCamelName(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function toCamel<Fields extends object>(fields: Fields): Camel<Fields> {
  return renamed(fields, toCamelName) as Camel<Fields>;
}

function renamed(fields: object, toName: (name: string) => string): object {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [toName(name), value]));
}
