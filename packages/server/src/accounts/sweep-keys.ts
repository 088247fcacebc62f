import { sql } from 'kysely';
import type { Database } from '../storage/database.js';

/** How long a revoked key stays in the list of keys, for who wonders what became of it. */
const revokedKeptMs = 30 * 86_400_000;
/** Rows a sweep deletes at once, so that it holds no other writer up. */
const sweepRows = 500;

/**
 * Deletes keys revoked more than 30 days ago, except those by which calls counted or analyses are kept: usage is reported by
 * key for ever. Answers how many.
 */
export async function sweepRevokedKeys(database: Database, nowMs: number): Promise<number> {
  let swept = 0;
  for (;;) {
    const [deleted] = await database.write([
      database.query.deleteFrom('api_key').where('id', 'in', (from) =>
        from
          .selectFrom('api_key as old')
          .select('old.id')
          .where('old.revoked_at', '<=', nowMs - revokedKeptMs)
          .where((key) =>
            key.not(
              key.exists(
                key
                  .selectFrom('usage')
                  .select(sql`1`.as('one'))
                  .whereRef('usage.key_id', '=', 'old.id')
                  // A call that was given back leaves a zero behind.
                  .where('usage.calls', '>', 0),
              ),
            ),
          )
          .where((key) =>
            key.not(
              key.exists(
                key
                  .selectFrom('analysis')
                  .select(sql`1`.as('one'))
                  .whereRef('analysis.key_id', '=', 'old.id'),
              ),
            ),
          )
          .limit(sweepRows),
      ),
    ]);
    const changes = deleted?.changes ?? 0;
    swept += changes;
    if (changes < sweepRows) return swept;
  }
}
