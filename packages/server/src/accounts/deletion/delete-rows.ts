import { type Compilable, sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import { type OwnedRows, ownedRows } from './owned-rows.js';

/** Times that the tables are gone through before the caller gets an error. */
const maxPasses = 5;
/** Rows in one unit, so that it holds no other writer up. */
const batchSize = 500;

interface DeleteRowsOptions {
  readonly deletionId: number;
  readonly accountId: number;
  readonly clock: Clock;
  /** Called between units. Throws to stop; what was deleted stays so, and is counted. */
  readonly onBatch: () => Promise<void>;
}

/**
 * Deletes all rows of an account, and the account last. Each unit counts what it deletes, so that the numbers hold wherever this
 * is cut. Whoever still writes rows of the account makes it go through the tables once more, and is refused once the account is
 * gone, to which all of them lead.
 */
export async function deleteRows(database: Database, options: DeleteRowsOptions): Promise<void> {
  await forgetCreators(database, options);
  for (let pass = 0; pass < maxPasses; pass += 1) {
    for (const rows of ownedRows) await deleteOwned(database, rows, options);
    if (await deleteAccount(database, options)) return;
  }
  const left: string[] = [];
  for (const rows of ownedRows) if (await hasRows(database, rows, options.accountId)) left.push(rows.table);
  throw new Error(`rows of ${left.join(', ')} come back while the account is deleted`);
}

async function deleteOwned(
  database: Database,
  rows: OwnedRows,
  { deletionId, accountId, onBatch }: DeleteRowsOptions,
): Promise<void> {
  const { table, key, order = key, bytes = '0' } = rows;
  const listed = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));
  const batch = sql`
    from ${sql.table(table)} where ${rows.condition(accountId)} order by ${listed(order)} limit ${sql.lit(batchSize)}`;
  // Looked for first, which costs no commit.
  while (await hasRows(database, rows, accountId)) {
    const [, deleted] = await database
      .write([
        countBatch(database, deletionId, table, sql`select ${sql.raw(bytes)} as bytes ${batch}`),
        raw(
          database,
          sql`delete from ${sql.table(table)} where (${listed(key)}) in (select ${listed(key)} ${batch})`,
        ),
      ])
      .catch((error: unknown) => {
        // A row that keeps it was added meanwhile.
        if (error instanceof StorageError && error.code === 'constraint') return [];
        throw error;
      });
    await onBatch();
    if ((deleted?.changes ?? 0) === 0) return;
  }
}

function countBatch(
  database: Database,
  deletionId: number,
  kind: string,
  batch: ReturnType<typeof sql>,
): Compilable {
  return raw(
    database,
    sql`insert into account_deletion_count (deletion_id, folder_uid, kind, items, bytes)
      select cast(${deletionId} as bigint), '', cast(${kind} as text), count(*), coalesce(sum(bytes), 0)
      from (${batch}) as batch where 1 = 1
      on conflict (deletion_id, folder_uid, kind) do update set
        items = account_deletion_count.items + excluded.items,
        bytes = account_deletion_count.bytes + excluded.bytes`,
  );
}

/** Rows among which those that name a user or key are looked for at once. */
const scannedAtOnce = 10_000;

/**
 * Ids and names of the account's users and keys in what other accounts keep: of what they created there nobody knows the creator
 * any more, and what they changed there was changed by a user without a name. Before the first user or key is deleted.
 */
async function forgetCreators(database: Database, { accountId, onBatch }: DeleteRowsOptions): Promise<void> {
  const users = sql`(select id from web_user where account_id = ${accountId})`;
  const keys = sql`(select id from api_key where account_id = ${accountId})`;
  const isOthers = sql`(account_id is null or account_id <> ${accountId})`;
  const byThem = sql`${isOthers} and (creator_user_id in ${users} or creator_key_id in ${keys})`;
  const forgotten = sql`creator_kind = null, creator_user_id = null, creator_key_id = null`;
  const steps = [
    { table: 'api_key', change: forgotten, condition: byThem },
    { table: 'web_link', change: forgotten, condition: byThem },
    {
      table: 'audit_entry',
      change: sql`who_id = null, who_name = '', address = null`,
      condition: sql`${isOthers} and (
        (who_kind = 'user' and who_id in ${users}) or (who_kind = 'key' and who_id in ${keys}))`,
    },
  ] as const;
  for (const { table, change, condition } of steps) {
    const last = await database.query
      .selectFrom(table)
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst();
    for (let from = 0; from <= Number(last?.id ?? 0); from += scannedAtOnce) {
      const found = await database.query
        .selectFrom(table)
        .select('id')
        .where('id', '>', from)
        .where('id', '<=', from + scannedAtOnce)
        .where(sql<boolean>`${condition}`)
        .execute();
      const ids = found.map(({ id }) => id);
      for (let at = 0; at < ids.length; at += batchSize) {
        const some = sql.join(ids.slice(at, at + batchSize));
        await database.write([
          raw(database, sql`update ${sql.table(table)} set ${change} where id in (${some})`),
        ]);
      }
      await onBatch();
    }
  }
}

/** False where rows were added meanwhile. */
async function deleteAccount(
  database: Database,
  { deletionId, accountId, clock }: DeleteRowsOptions,
): Promise<boolean> {
  const isEmpty = sql<boolean>`${sql.join(
    ownedRows.map(
      ({ table, condition }) =>
        sql`not exists (select 1 from ${sql.table(table)} where ${condition(accountId)})`,
    ),
    sql` and `,
  )}`;
  await database
    .write([
      database.query.deleteFrom('account').where('id', '=', accountId).where(isEmpty),
      database.query
        .updateTable('account_deletion')
        .set({ rows_deleted_at: clock(), lease_owner: null, leased_until: null })
        .where('id', '=', deletionId)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('account').select('id').where('id', '=', accountId))),
        ),
    ])
    .catch((error: unknown) => {
      if (!(error instanceof StorageError && error.code === 'constraint')) throw error;
    });
  const left = await database.query
    .selectFrom('account')
    .select('id')
    .where('id', '=', accountId)
    .executeTakeFirst();
  return left === undefined;
}

async function hasRows(
  { query }: Database,
  { table, condition }: OwnedRows,
  accountId: number,
): Promise<boolean> {
  const found = sql`select 1 from ${sql.table(table)} where ${condition(accountId)} limit 1`;
  return (await found.execute(query)).rows.length > 0;
}

function raw({ query }: Database, statement: ReturnType<typeof sql>): Compilable {
  return { compile: () => statement.compile(query) };
}
