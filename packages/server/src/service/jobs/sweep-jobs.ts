import type { Database } from '../../storage/database.js';

/** How long an ended job is remembered. */
const endedKeptMs = 90 * 86_400_000;
/** Ended jobs of one account that are remembered: of more, the newest. */
const endedKept = 1000;
/** Rows a sweep deletes at once, so that it holds no other writer up. */
const sweepRows = 500;

/** Deletes jobs that ended more than 90 days ago, and those beyond an account's newest thousand; answers how many. */
export async function sweepEndedJobs(database: Database, nowMs: number): Promise<number> {
  let swept = await deleteEnded(database, null, nowMs - endedKeptMs);
  for (const { accountId, endedAt } of await findOverfull(database)) {
    swept += await deleteEnded(database, accountId, endedAt);
  }
  return swept;
}

/** Accounts with too many, and when the newest of those ended that is not kept. */
async function findOverfull({ query }: Database) {
  const accounts = await query
    .selectFrom('job')
    .select('account_id as accountId')
    .where('ended_at', 'is not', null)
    .groupBy('account_id')
    .having(({ fn }) => fn.countAll(), '>', endedKept)
    .execute();
  const overfull: { accountId: number; endedAt: number }[] = [];
  for (const { accountId } of accounts) {
    const row = await query
      .selectFrom('job')
      .select('ended_at as endedAt')
      .where('account_id', '=', accountId)
      .where('ended_at', 'is not', null)
      .orderBy('ended_at', 'desc')
      .offset(endedKept)
      .limit(1)
      .executeTakeFirst();
    if (row && row.endedAt !== null) overfull.push({ accountId, endedAt: row.endedAt });
  }
  return overfull;
}

/** @param accountId null: of all */
async function deleteEnded(database: Database, accountId: number | null, untilMs: number): Promise<number> {
  let deleted = 0;
  for (;;) {
    const [batch] = await database.write([
      database.query.deleteFrom('job').where('id', 'in', (from) => {
        const old = from.selectFrom('job as old').select('old.id').where('old.ended_at', '<=', untilMs);
        const those = accountId === null ? old : old.where('old.account_id', '=', accountId);
        return those.limit(sweepRows);
      }),
    ]);
    const changes = batch?.changes ?? 0;
    deleted += changes;
    if (changes < sweepRows) return deleted;
  }
}
