import { type Compilable, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { ColumnTypes } from '../migrations/column-types.js';
import { keyOf, type Table } from './define-table.js';

/** The statements that create tables, in this order, their indexes and, once all are there, their triggers. */
export function createStatements(
  db: Kysely<unknown>,
  types: ColumnTypes,
  tables: Readonly<Record<string, Table>>,
): readonly Compilable[] {
  const isSqlite = types.bytes === 'blob';
  return [
    ...Object.entries(tables).flatMap(([name, table]) => [
      createTable(db, types, name, table),
      ...createIndexes(db, name, table),
    ]),
    ...Object.values(tables)
      .flatMap(({ triggers }) => triggers?.(isSqlite) ?? [])
      .map((text) => ({ compile: () => sql.raw(text).compile(db) })),
  ];
}

function createTable(db: Kysely<unknown>, types: ColumnTypes, name: string, table: Table): Compilable {
  let built: CreateTableBuilder<string, string> = db.schema.createTable(name);
  for (const [column, definition] of Object.entries(table.columns)) {
    const { type } = definition;
    if (type === 'id') built = built.addColumn(column, types.id.type, types.id.build);
    else
      built = built.addColumn(column, type === 'bytes' ? sql.raw(types.bytes) : type, (builder) =>
        definition.build(builder, column),
      );
  }
  if (table.key) built = built.addPrimaryKeyConstraint(`${name}_key`, [...keyOf(table)]);
  for (const [ending, columns] of Object.entries(table.unique ?? {}))
    built = built.addUniqueConstraint(`${name}_${ending}`, [...columns]);
  for (const [ending, { column, table: target, cascade }] of Object.entries(table.references ?? {}))
    built = built.addForeignKeyConstraint(
      `${name}_${ending}`,
      ['account_id', column],
      target,
      ['account_id', 'id'],
      (constraint) => (cascade ? constraint.onDelete('cascade') : constraint),
    );
  return built;
}

function createIndexes(db: Kysely<unknown>, name: string, { indexes = {} }: Table): readonly Compilable[] {
  return Object.entries(indexes).map(([ending, index]) => {
    const { columns, unique, where } = 'columns' in index ? index : { columns: index };
    let built = db.schema
      .createIndex(`${name}_${ending}`)
      .on(name)
      .columns([...columns]);
    if (unique) built = built.unique();
    return where ? built.where(sql<boolean>`${sql.raw(where)}`) : built;
  });
}
