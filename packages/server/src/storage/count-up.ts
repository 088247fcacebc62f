import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Database } from './database.js';
import type { CountedKind } from './tables/accounts.js';

const first = 1001;

/**
 * Takes the next id of a kind in an account: the statement comes first in its unit, and `lastId` stands for the id in the
 * statements after it. Units that take one wait for each other, and an undone unit gives its id back.
 */
export function countUp(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  kind: CountedKind,
  by = 1,
): Compilable {
  return query
    .insertInto('account_counter')
    .values({ account_id: accountId, kind, last: first - 1 + by })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'kind'])
        .doUpdateSet({ last: sql<number>`account_counter.last + cast(${by} as bigint)` }),
    )
    .returning('last');
}

/** The id that `countUp` took in the same unit. */
export function lastId(accountId: number, kind: CountedKind): RawBuilder<number> {
  return sql<number>`(select last from account_counter where account_id = ${accountId} and kind = ${kind})`;
}
