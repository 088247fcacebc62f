import type { Database } from '../../storage/database.js';
import { insertWork } from './file-jobs.js';
import { insertEvent, updateFile } from './file-rows.js';
import type { ReceiveDeps } from './receive-deps.js';

/** A client that gives a file its proper name does so within seconds. */
const heldForMs = 60 * 60_000;
/** Files in one unit, so that it holds no other writer up. */
const batchSize = 100;

/** Files whose temporary names turned out to be their names, such as `~beach.jpg` and `$1.jpg`, arrive after an hour. */
export async function arriveHeldFiles(
  deps: Pick<ReceiveDeps, 'database' | 'jobs' | 'settleMs'>,
  nowMs: number,
): Promise<void> {
  const { database, jobs } = deps;
  for (;;) {
    const rows = await database.query
      .selectFrom('drop_file')
      .selectAll()
      .where('state', '=', 'held')
      .where('modified_at', '<=', nowMs - heldForMs)
      .limit(batchSize)
      .execute();
    for (const row of rows) {
      const { id, account_id: accountId, drop_id: dropId, modified_at } = row;
      const arrival = database.write([
        updateFile(database, id, ['held'], {
          state: 'arrived',
          modified_at: Math.max(nowMs, modified_at + 1),
        }),
        insertWork(deps, { accountId, dropId }, row),
        insertEvent(database, accountId, {
          fileId: id,
          at: nowMs,
          what: 'arrived',
          detail: 'after an hour under this name',
        }),
      ]);
      await arrival.catch(async (error: unknown) => {
        // The unit also fails where a client renames or deletes the file meanwhile; the other files still arrive.
        if (await isHeld(database, id)) throw error;
      });
    }
    if (rows.length > 0) jobs.wake();
    if (rows.length < batchSize) return;
  }
}

async function isHeld({ query }: Pick<Database, 'query'>, id: string): Promise<boolean> {
  const held = query.selectFrom('drop_file').select('id').where('id', '=', id).where('state', '=', 'held');
  return (await held.executeTakeFirst()) !== undefined;
}
