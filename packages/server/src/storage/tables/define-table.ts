import { type ColumnDefinitionBuilder, type Generated, type RawBuilder, sql } from 'kysely';

type Build = (column: ColumnDefinitionBuilder, name: string) => ColumnDefinitionBuilder;

/** A column of a table; `T` is its type for Kysely. It has a value in every row unless `orNull` says otherwise. */
export class Column<T> {
  /** For the compiler alone. */
  declare readonly row: T;

  constructor(
    readonly type: 'id' | 'text' | 'bigint' | 'double precision' | 'bytes',
    readonly isNullable = false,
    readonly isKey = false,
    private readonly steps: readonly Build[] = [],
  ) {}

  /** Writes the rest of its definition, after name and type. */
  build(column: ColumnDefinitionBuilder, name: string): ColumnDefinitionBuilder {
    const started = this.isNullable || this.type === 'id' ? column : column.notNull();
    return this.steps.reduce((built, step) => step(built, name), started);
  }

  orNull(): Column<T | null> {
    return new Column(this.type, true, this.isKey, this.steps);
  }

  default(value: string | number): Column<Generated<T>> {
    return this.with((column) => column.defaultTo(value));
  }

  primaryKey(): Column<T> {
    return new Column<T>(this.type, this.isNullable, true, this.steps).with((column) => column.primaryKey());
  }

  unique(): Column<T> {
    return this.with((column) => column.unique());
  }

  /** @param condition what follows the name of the column in SQL */
  check(condition: string): Column<T> {
    return this.with((column, name) => column.check(sql`${sql.ref(name)} ${sql.raw(condition)}`));
  }

  /** The id of a row of another table. Without `cascade` that row cannot be deleted while this one is there. */
  references(table: string, cascade?: 'cascade'): Column<T> {
    return this.with((column) => {
      const built = column.references(`${table}.id`);
      return cascade ? built.onDelete(cascade) : built;
    });
  }

  private with<U = T>(step: Build): Column<U> {
    return new Column<U>(this.type, this.isNullable, this.isKey, [...this.steps, step]);
  }
}

/** A primary key that the database counts up and never gives twice. */
export const id = () => new Column<Generated<number>>('id', false, true);
export const text = <T extends string = string>() => new Column<T>('text');
export const oneOf = <T extends string>(...values: readonly T[]) =>
  new Column<T>('text').check(`in (${values.map((value) => `'${value}'`).join(', ')})`);
/** A whole number; a boolean is 0 or 1. */
export const number = <T extends number = number>() => new Column<T>('bigint');
export const real = () => new Column<number>('double precision');
export const bytes = () => new Column<Uint8Array>('bytes');

export type Columns = Readonly<Record<string, Column<unknown>>>;

interface Options<Name> {
  /** The primary key, where it has several columns. */
  readonly key?: readonly Name[];
  /** Columns that have no values twice. Here and below, names continue that of the table. */
  readonly unique?: Readonly<Record<string, readonly Name[]>>;
  /** Rows of the same account, by `account_id` and their `id`. Without `cascade` they cannot be deleted while this one is there. */
  readonly references?: Readonly<
    Record<string, { readonly column: Name; readonly table: string; readonly cascade?: true }>
  >;
  readonly indexes?: Readonly<
    Record<
      string,
      readonly Name[] | { readonly columns: readonly Name[]; readonly unique?: true; readonly where?: string }
    >
  >;
  /** Statements that create triggers, once all tables are there. */
  readonly triggers?: (isSqlite: boolean) => readonly string[];
}

/** How the rows that belong to an account are found when it is deleted. */
interface DeletedRows<Name = string> {
  /** Columns that tell one row from another, where there is no primary key. */
  readonly key?: readonly Name[];
  /** In the order of an index, so that a batch is found without reading all rows; the key unless given. */
  readonly order?: readonly Name[];
  /** Which rows; those with its `account_id` unless given. */
  readonly condition?: (accountId: number) => RawBuilder<boolean>;
  /** Bytes of the files that a row names, as SQL. */
  readonly bytes?: string;
}

/** Rows of a table go with an account, or are kept for a reason. */
type Owner<Name> = { readonly deleted: DeletedRows<Name> } | { readonly kept: string };

export type Table<C extends Columns = Columns> = { readonly columns: C } & Options<string> & Owner<string>;

export function table<C extends Columns>(
  columns: C,
  options: Options<keyof C & string> & Owner<keyof C & string>,
): Table<C> {
  return { columns, ...options };
}

/** The type of its rows for Kysely. */
export type RowOf<T extends { readonly columns: Columns }> = {
  [Name in keyof T['columns']]: T['columns'][Name]['row'];
};

/** The columns by which a row is named; none where the table has no primary key. */
export function keyOf({ columns, key }: Pick<Table, 'columns' | 'key'>): readonly string[] {
  return key ?? Object.keys(columns).filter((name) => columns[name]?.isKey);
}
