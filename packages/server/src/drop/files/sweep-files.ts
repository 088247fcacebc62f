import type { Database } from '../../storage/database.js';
import { readSettings } from '../drops/drop-settings.js';
import type { FileBytes } from './file-bytes.js';
import { fileOfPart, partId, removeParts, shownPart } from './file-parts.js';

const dayMs = 86_400_000;
/** Files in one unit, so that it holds no other writer up. */
const batchSize = 300;
/** Bytes may be about to get their row. */
const orphanAgeMs = 3_600_000;
/** A folder in which nothing was for so long is forgotten. */
const folderAgeMs = 90 * dayMs;

/** Deletes what drops keep no longer: ended files by their drop's settings, bytes that no row names, old empty folders. */
export async function sweepDropFiles(
  { database, bytes }: { readonly database: Database; readonly bytes: FileBytes },
  nowMs: number,
): Promise<void> {
  const drops = await database.query
    .selectFrom('drop_box')
    .select(['account_id', 'id', 'settings'])
    .execute();
  for (const { account_id, id, settings } of drops) {
    const { keepDoneDays, keepFailedDays } = readSettings(settings);
    const of = { accountId: account_id, dropId: id };
    await sweepEnded({ database, bytes }, of, 'done', nowMs - keepDoneDays * dayMs);
    await sweepEnded({ database, bytes }, of, 'failed', nowMs - keepFailedDays * dayMs);
  }
  await sweepOrphans({ database, bytes }, nowMs);
  await sweepEmptyFolders(database, nowMs);
}

async function sweepEnded(
  { database, bytes }: { readonly database: Database; readonly bytes: FileBytes },
  drop: { readonly accountId: number; readonly dropId: number },
  state: 'done' | 'failed',
  endedBefore: number,
): Promise<void> {
  const { query } = database;
  for (;;) {
    const rows = await query
      .selectFrom('drop_file')
      .select('id')
      .where('account_id', '=', drop.accountId)
      .where('drop_id', '=', drop.dropId)
      .where('state', '=', state)
      .where('ended_at', '<=', endedBefore)
      .limit(batchSize)
      .execute();
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    await database.write([
      query.deleteFrom('drop_event').where('file_id', 'in', ids),
      query.deleteFrom('drop_file').where('id', 'in', ids).where('state', '=', state),
    ]);
    for (const id of ids) await removeParts(bytes, id);
  }
}

async function sweepOrphans(
  { database, bytes }: { readonly database: Database; readonly bytes: FileBytes },
  nowMs: number,
): Promise<void> {
  let batch: string[] = [];
  for await (const { id, writtenMs } of bytes.list()) {
    if (writtenMs > nowMs - orphanAgeMs) continue;
    batch.push(id);
    if (batch.length < batchSize) continue;
    await removeUnneeded({ database, bytes }, batch);
    batch = [];
  }
  if (batch.length > 0) await removeUnneeded({ database, bytes }, batch);
}

async function removeUnneeded(
  { database, bytes }: { readonly database: Database; readonly bytes: FileBytes },
  ids: readonly string[],
): Promise<void> {
  const found = await database.query
    .selectFrom('drop_file')
    .select(['id', 'state', 'output'])
    .where('id', 'in', [...new Set([...ids, ...ids.map(fileOfPart)])])
    .execute();
  const rows = new Map(found.map((row) => [row.id, row]));
  for (const id of ids) {
    const fileId = fileOfPart(id);
    const [own, file] = [rows.get(id), rows.get(fileId)];
    // Of what is done, one part is shown; what is not ended may need all of them.
    const isNeeded =
      own !== undefined
        ? file?.state !== 'done' || shownPart(own) === 'original'
        : file !== undefined && file.state !== 'done';
    const isShown = file?.state === 'done' && partId(fileId, shownPart(file)) === id;
    if (!isNeeded && !isShown) await bytes.remove(id);
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
