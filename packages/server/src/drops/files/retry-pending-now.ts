import type { Jobs } from '../../service/jobs/jobs.js';
import type { Database } from '../../storage/database.js';
import { dropFileKind } from './file-jobs.js';
import type { DropRef } from './file-rows.js';

interface RetryPendingDeps {
  readonly database: Database;
  readonly clock: () => number;
  readonly jobs: Pick<Jobs, 'wake'>;
}

/** At once; what is behind them comes by its own time, five minutes later at most. */
const maxRetried = 1000;

/** The destination works: files that wait for it need not wait until their next attempt is due. */
export async function retryPendingNow(
  { database, clock, jobs }: RetryPendingDeps,
  { accountId, dropId }: DropRef,
): Promise<void> {
  const { query } = database;
  const now = clock();
  await database.write([
    query
      .updateTable('job')
      .set({ due_at: now })
      .where('id', 'in', (from) =>
        from
          .selectFrom('job as waiting')
          .innerJoin('drop_file', 'drop_file.id', 'waiting.subject')
          .select('waiting.id')
          .where('waiting.account_id', '=', accountId)
          .where('waiting.kind', '=', dropFileKind)
          .where('waiting.ended_at', 'is', null)
          .where('waiting.lease_owner', 'is', null)
          .where('waiting.due_at', '>', now)
          .where('drop_file.drop_id', '=', dropId)
          .where('drop_file.state', '=', 'written')
          .orderBy('waiting.due_at')
          .limit(maxRetried),
      )
      // Once more: another may have taken it since the rows were chosen.
      .where('lease_owner', 'is', null)
      .where('ended_at', 'is', null),
  ]);
  jobs.wake();
}
