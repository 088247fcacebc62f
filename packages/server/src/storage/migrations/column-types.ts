import type { ColumnDefinitionBuilder } from 'kysely';

/** Where the two databases name a type differently; everything else in a migration is the same text for both. */
export interface ColumnTypes {
  /** A primary key that the database counts up and never gives twice. */
  readonly id: {
    readonly type: 'integer' | 'bigint';
    readonly build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  };
  readonly bytes: 'blob' | 'bytea';
}

/** SQLite counts up only an `integer primary key`, which holds 64 bits. */
export const sqliteTypes: ColumnTypes = {
  id: { type: 'integer', build: (column) => column.primaryKey().autoIncrement().notNull() },
  bytes: 'blob',
};

export const postgresTypes: ColumnTypes = {
  id: { type: 'bigint', build: (column) => column.generatedByDefaultAsIdentity().primaryKey() },
  bytes: 'bytea',
};
