import { type Compilable, type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely';
import type { Schema } from './schema.js';

/** Stands where the value of that name will be. */
export type ValueOf<Values> = <Name extends keyof Values>(name: Name) => RawBuilder<Values[Name]>;

/**
 * Builds a statement's SQL once. For statements of every request: building one takes longer than running it.
 * @param build Writes the statement; what it gets as `value` stands for the values.
 * @returns Gives the statement its values, as often as wanted.
 */
export function prepare<Values extends object, Row>(
  query: Kysely<Schema>,
  build: (query: Kysely<Schema>, value: ValueOf<Values>) => Compilable<Row>,
): (values: Values) => Compilable<Row> {
  const value: ValueOf<Values> = <Name extends keyof Values>(name: Name) =>
    sql<Values[Name]>`${new Placeholder(name)}`;
  const compiled = build(query, value).compile();
  return (values) => {
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? Reflect.get(values, parameter.name) : parameter,
    );
    const statement: CompiledQuery<Row> = { ...compiled, parameters };
    return { compile: () => statement };
  };
}

/**
 * A statement that each connection to PostgreSQL parses and plans once, under a name of its own. For one with large values: a plan for
 * given values has copies of them. On SQLite the name means nothing.
 */
export interface NamedStatement extends Compilable {
  readonly statementName: string;
}

export function isNamed(statement: Compilable): statement is NamedStatement {
  return 'statementName' in statement;
}

class Placeholder {
  constructor(readonly name: PropertyKey) {}
}
