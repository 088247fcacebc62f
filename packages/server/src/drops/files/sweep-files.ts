import type { Database } from '../../storage/database.js';
import { readSettings } from '../drop-settings.js';
import type { FileBytes } from './file-bytes.js';
import { removeParts } from './file-parts.js';
import { type DropRef, deleteEvents } from './file-rows.js';

const dayMs = 86_400_000;
/** Files in one unit, so that it holds no other writer up. */
const batchSize = 300;
/** For which a client may go on with what was cut, or rename what has a passing name, whatever the setting is. */
const leastUnfinishedDays = 7;
/** A folder in which nothing was for so long is forgotten. */
const folderAgeMs = 90 * dayMs;

/**
 * Deletes what drops keep no longer: ended files by their drop's settings, what was cut or never renamed as long after it came as
 * what failed, old empty folders. What is done and was delivered nowhere stays, whatever its age: it is nowhere else. Throws the first
 * error when the other drops are done.
 */
export async function sweepDropFiles(
  { database, bytes }: { readonly database: Database; readonly bytes: FileBytes },
  nowMs: number,
): Promise<void> {
  const drops = await database.query
    .selectFrom('drop_box')
    .select(['account_id', 'id', 'settings'])
    .execute();
  const errors: unknown[] = [];
  for (const { account_id, id, settings } of drops) {
    const drop = { accountId: account_id, dropId: id };
    await sweepDrop({ database, bytes }, drop, settings, nowMs).catch((error: unknown) => errors.push(error));
  }
  await sweepEmptyFolders(database, nowMs);
  if (errors.length > 0) throw errors[0];
}

async function sweepDrop(
  stores: { readonly database: Database; readonly bytes: FileBytes },
  drop: DropRef,
  settings: string,
  nowMs: number,
): Promise<void> {
  const { keepDoneDays, keepFailedDays } = readSettings(settings);
  await sweepEnded(stores, drop, 'done', nowMs - keepDoneDays * dayMs);
  await sweepEnded(stores, drop, 'failed', nowMs - keepFailedDays * dayMs);
  await sweepUnfinished(stores, drop, nowMs - Math.max(keepFailedDays, leastUnfinishedDays) * dayMs);
}

async function sweepEnded(
  { database, bytes }: { readonly database: Database; readonly bytes: FileBytes },
  drop: DropRef,
  state: 'done' | 'failed',
  endedBefore: number,
): Promise<void> {
  const { query } = database;
  for (;;) {
    let old = query
      .selectFrom('drop_file')
      .select('id')
      .where('account_id', '=', drop.accountId)
      .where('drop_id', '=', drop.dropId)
      .where('state', '=', state)
      .where('ended_at', '<=', endedBefore);
    if (state === 'done') old = old.where('delivered_to', 'is not', null);
    const rows = await old.limit(batchSize).execute();
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    const [removed] = await database.write([
      // One that failed may be retried just now: its bytes stay.
      query.deleteFrom('drop_file').where('id', 'in', ids).where('state', '=', state).returning('id'),
      deleteEvents(database, ids),
    ]);
    for (const row of removed?.rows ?? []) await removeParts(bytes, String(row['id']));
  }
}

/** Else the `.DS_Store`s and `._IMG_1.jpg`s of some clients take the room of photographs in the end. */
async function sweepUnfinished(
  { database, bytes }: { readonly database: Database; readonly bytes: FileBytes },
  { accountId, dropId }: DropRef,
  touchedBefore: number,
): Promise<void> {
  const { query } = database;
  const states = ['partial', 'held'] as const;
  for (;;) {
    const some = query
      .selectFrom('drop_file')
      .select('id')
      .where('account_id', '=', accountId)
      .where('drop_id', '=', dropId)
      .where('ended_at', 'is', null)
      .where('state', 'in', states)
      .where('modified_at', '<=', touchedBefore)
      .limit(batchSize);
    const [removed] = await database.write([
      // Once more: a client may go on with one just now.
      query
        .deleteFrom('drop_file')
        .where('id', 'in', some)
        .where('state', 'in', states)
        .where('modified_at', '<=', touchedBefore)
        .returning('id'),
    ]);
    const ids = (removed?.rows ?? []).map((row) => String(row['id']));
    for (const id of ids) await removeParts(bytes, id);
    if (ids.length < batchSize) return;
  }
}

async function sweepEmptyFolders({ query, write }: Database, nowMs: number): Promise<void> {
  await write([
    query
      .deleteFrom('drop_folder')
      .where('created_at', '<', nowMs - folderAgeMs)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('drop_file')
              .select('drop_file.id')
              .whereRef('drop_file.account_id', '=', 'drop_folder.account_id')
              .whereRef('drop_file.drop_id', '=', 'drop_folder.drop_id')
              .where('drop_file.area', '=', 'incoming')
              .whereRef('drop_file.parent', '=', 'drop_folder.path'),
          ),
        ),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('drop_folder as inner')
              .select('inner.path')
              .whereRef('inner.account_id', '=', 'drop_folder.account_id')
              .whereRef('inner.drop_id', '=', 'drop_folder.drop_id')
              .whereRef('inner.parent', '=', 'drop_folder.path'),
          ),
        ),
      ),
  ]);
}
