import type { Database } from '../../storage/database.js';
import type { Quarantine } from '../../storage/quarantine/quarantine.js';

/** For so long after a deletion, whatever turns up of the account is deleted; a request is over within hours. */
const watchedMs = 30 * 86_400_000;

/**
 * What a request that was under way wrote after all, while its account was deleted, has no row: the sweeps before moved it into
 * quarantine by its owner, and from there it is deleted at once. Answers how many.
 */
export async function sweepDeletedAccounts(
  { query }: Pick<Database, 'query'>,
  quarantine: Pick<Quarantine, 'deleteOwned'>,
  nowMs: number,
): Promise<number> {
  const deleted = await query
    .selectFrom('account_deletion')
    .select('account_id as accountId')
    .where('rows_deleted_at', '>=', nowMs - watchedMs)
    .execute();
  let swept = 0;
  for (const { accountId } of deleted) swept += await quarantine.deleteOwned(accountId);
  return swept;
}
