import {
  type Expression,
  type Insertable,
  type RawBuilder,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import { countUp, lastId } from './count-up.js';
import type { Database } from './database.js';
import { type Page, type PageRequest, toPage } from './page.js';
import type { Schema } from './schema.js';
import { StorageError } from './storage-error.js';
import type { CountedKind } from './tables/accounts.js';

/** Tables whose rows belong to an account, have an id within it, and are hidden by `deleted_at` before they are deleted. */
type AccountTable = 'perception' | 'dataset' | 'model' | 'drop_box' | 'stream' | 'stream_output' | 'video';
type Row<T extends AccountTable> = Selectable<Schema[T]>;

interface AccountRowsOptions<T extends AccountTable, Item> {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
  readonly table: T;
  /** Of the counter that gives the ids. */
  readonly kind: CountedKind;
  readonly toItem: (row: Row<T>) => Item;
  /** Thrown for a row that does not exist, is hidden, or belongs to another account. */
  readonly notFound: (id: number) => ServiceError;
}

/** How many visible rows an account may have. */
interface RowLimit {
  /** 0: any number. */
  readonly max: number;
  /** What the rows are called in the `account_full` that is thrown. */
  readonly plural: string;
}

export interface AccountRows<T extends AccountTable, Item> {
  read(accountId: number, id: number): Promise<Item>;
  /** By number or UID; null when there is none. */
  find(accountId: number, reference: string): Promise<Item | null>;
  /** The newest first; a position is an id. */
  list(accountId: number, page: PageRequest<number>): Promise<Page<Item, number>>;
  /** Returns the id. Throws `account_full` at the limit. */
  insert(
    accountId: number,
    columns: Omit<Insertable<Schema[T]>, 'account_id' | 'id' | 'created_at'>,
    limit?: RowLimit,
  ): Promise<number>;
  update(accountId: number, id: number, columns: Updateable<Schema[T]>): Promise<Item>;
  /** Hides the row, then has it deleted. */
  remove<Receipt>(
    accountId: number,
    id: number,
    deleteRow: (row: Row<T>) => Promise<Receipt>,
  ): Promise<Receipt>;
  /**
   * Deletes hidden rows, whose deletion was interrupted; returns how many.
   * @param which hidden at this time or before, of one account where that is given; all unless given
   */
  finishRemovals(
    deleteRow: (row: Row<T>) => Promise<unknown>,
    which?: { readonly accountId?: number; readonly hiddenBefore: number },
  ): Promise<number>;
}

// Kysely resolves the columns of a union of tables, and not those of a type parameter.
export function createAccountRows<T extends AccountTable, Item extends { readonly id: number }>(
  options: AccountRowsOptions<T, Item>,
): AccountRows<T, Item>;
export function createAccountRows<Item extends { readonly id: number }>({
  database,
  clock,
  table,
  kind,
  toItem,
  notFound,
}: AccountRowsOptions<AccountTable, Item>): AccountRows<AccountTable, Item> {
  const { query } = database;
  const all = () => query.selectFrom(table).selectAll();
  const visible = (accountId: number) =>
    all().where('account_id', '=', accountId).where('deleted_at', 'is', null);

  const read = async (accountId: number, id: number) => {
    const row = await visible(accountId).where('id', '=', id).executeTakeFirst();
    if (!row) throw notFound(id);
    return toItem(row);
  };

  const update = async (accountId: number, id: number, columns: Updateable<Schema[AccountTable]>) => {
    const [updated] = await database.write([
      query
        .updateTable(table)
        // The id to itself, since an UPDATE needs a column.
        .set((row) => ({ id: row.ref('id'), ...columns }))
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('deleted_at', 'is', null),
    ]);
    if (updated?.changes !== 1) throw notFound(id);
  };

  return {
    read,

    async find(accountId, reference) {
      const wanted = reference.trim();
      const id = /^[0-9]{1,15}$/.test(wanted) ? Number(wanted) : 0;
      // A NUL, which a bind refuses, is in no UID.
      if (id === 0 && !/^[0-9a-f-]{36}$/.test(wanted)) return null;
      const row = await visible(accountId)
        .where((is) => (id > 0 ? is('id', '=', id) : is('uid', '=', wanted)))
        .executeTakeFirst();
      return row ? toItem(row) : null;
    },

    async list(accountId, { limit, after }) {
      let rows = visible(accountId);
      if (after !== undefined) rows = rows.where('id', '<', after);
      const found = await rows
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toItem), limit, ({ id }) => id);
    },

    async insert(accountId, columns, { max, plural } = { max: 0, plural: table }) {
      const count = visible(accountId)
        .clearSelect()
        .select(({ fn }) => fn.countAll().as('count'));
      const id = whileFewer(lastId(accountId, kind), count, max);
      const unit = database.write([
        countUp(database, accountId, kind),
        query
          .insertInto(table)
          .values({ ...columns, account_id: accountId, id, created_at: clock() })
          .returning('id'),
      ]);
      const [, inserted] = await refuseWhenFull(
        unit,
        `an account has ${max} ${plural} at most: delete one first`,
      );
      return Number(inserted?.rows[0]?.['id']);
    },

    async update(accountId, id, columns) {
      await update(accountId, id, columns);
      return read(accountId, id);
    },

    async remove(accountId, id, deleteRow) {
      await update(accountId, id, { deleted_at: clock() });
      // Read once no other change can follow.
      const row = await all().where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst();
      if (!row) throw notFound(id);
      return deleteRow(row);
    },

    async finishRemovals(deleteRow, which) {
      let rows = all().where('deleted_at', 'is not', null);
      if (which) rows = rows.where('deleted_at', '<=', which.hiddenBefore);
      if (which?.accountId !== undefined) rows = rows.where('account_id', '=', which.accountId);
      const hidden = await rows.execute();
      for (const row of hidden) await deleteRow(row);
      return hidden.length;
    },
  };
}

/**
 * The value while there are fewer rows than the limit, else NULL: in a column that must have a value this undoes the unit,
 * which `refuseWhenFull` reports.
 * @param rows a query of one number
 * @param limit 0: none
 */
function whileFewer<T>(value: RawBuilder<T>, rows: Expression<unknown>, limit: number): RawBuilder<T> {
  return limit === 0 ? value : sql<T>`case when (${rows}) < cast(${limit} as bigint) then ${value} end`;
}

/** Throws `account_full` with these words where the unit was undone because it had no value. */
async function refuseWhenFull<T>(unit: Promise<T>, message: string): Promise<T> {
  try {
    return await unit;
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'not-null') throw error;
    throw new ServiceError('account_full', message, { cause: error });
  }
}
