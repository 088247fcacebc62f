import type { Database } from '../storage/database.js';

/** How long an ended job is remembered. */
const endedKeptMs = 90 * 86_400_000;
/** Rows a sweep deletes at once, so that it holds no other writer up. */
const sweepRows = 500;

/** Deletes jobs that ended more than 90 days ago; answers how many. */
export async function sweepEndedJobs(database: Database, nowMs: number): Promise<number> {
  let swept = 0;
  for (;;) {
    const [deleted] = await database.write([
      database.query.deleteFrom('job').where('id', 'in', (from) =>
        from
          .selectFrom('job as old')
          .select('old.id')
          .where('old.ended_at', '<=', nowMs - endedKeptMs)
          .limit(sweepRows),
      ),
    ]);
    const changes = deleted?.changes ?? 0;
    swept += changes;
    if (changes < sweepRows) return swept;
  }
}
