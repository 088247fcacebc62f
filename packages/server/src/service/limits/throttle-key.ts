import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../storage/database.js';

/** Digest of what is counted and by whom: of a fixed length, whatever an attacker sends. */
export function throttleKey(kind: string, name: string): string {
  return createHash('sha256').update(`${kind}\0${name}`).digest('base64url');
}

/** A number as a parameter, whose type PostgreSQL could not tell from where it stands. */
export const big = (value: number): RawBuilder<number> => sql<number>`cast(${value} as bigint)`;

/** Names known at once to be refused; of more the longest unseen are asked of the database again. */
export const maxKnown = 20_000;

/** Rows a sweep deletes at once, so that it holds no other writer up. */
const sweepRows = 500;

/** Deletes rows that say nothing any more; answers how many. */
export async function sweepThrottles(database: Database, nowMs: number): Promise<number> {
  let swept = 0;
  for (;;) {
    const [deleted] = await database.write([
      database.query
        .deleteFrom('throttle')
        .where('key', 'in', (from) =>
          from
            .selectFrom('throttle as old')
            .select('old.key')
            .where('old.forget_at', '<=', nowMs)
            .limit(sweepRows),
        )
        // Once more: it may have been counted again meanwhile.
        .where('forget_at', '<=', nowMs),
    ]);
    const changes = deleted?.changes ?? 0;
    swept += changes;
    if (changes < sweepRows) return swept;
  }
}
