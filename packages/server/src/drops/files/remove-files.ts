import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import type { FileBytes } from './file-bytes.js';
import { dropFileKind } from './file-jobs.js';
import { endingsBeside, fileOfPart, removeParts, rowIdsOf } from './file-parts.js';
import { photos, readFileRow } from './file-records.js';
import { type DropRef, deleteEvents, filesOf } from './file-rows.js';

/** What was deleted, for good. */
export interface FilesReceipt {
  readonly files: number;
  readonly bytes: number;
}

interface RemoveDeps {
  readonly database: Database;
  readonly bytes: Pick<FileBytes, 'remove'>;
}

/** Files in one unit, so that it holds no other writer up. */
const batchSize = 300;
/** In one request. */
const maxPurged = 3000;

/** Also one that is worked on: it may be sent on all the same. Throws `conflict` while it is being received. */
export async function removeFile(deps: RemoveDeps, drop: DropRef, id: string): Promise<FilesReceipt> {
  const { database, bytes } = deps;
  const row = await readFileRow(database, drop, id);
  const ids = rowIdsOf(id);
  const [, , removed] = await database.write([
    deleteWork(database, drop, [id]),
    database.query
      .deleteFrom('drop_event')
      .where('file_id', '=', id)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(selectFrom('drop_file').select('id').where('id', '=', id).where('state', '=', 'receiving')),
        ),
      ),
    database.query.deleteFrom('drop_file').where('id', 'in', ids).where('state', '<>', 'receiving'),
  ]);
  if (removed?.changes === 0) {
    throw new ServiceError('conflict', 'the file is being received: end its transfer first');
  }
  await removeParts(bytes, id);
  return { files: 1, bytes: row.size_bytes };
}

/** All that ended so, at most 3000 at once. */
export async function purgeFiles(
  deps: RemoveDeps,
  drop: DropRef,
  state: 'done' | 'failed',
): Promise<FilesReceipt & { readonly left: number }> {
  const { database, bytes } = deps;
  let [files, size] = [0, 0];
  const ended = () => photos(filesOf(database, drop)).where('state', '=', state);
  while (files < maxPurged) {
    const rows = await ended().clearSelect().select(['id', 'size_bytes']).limit(batchSize).execute();
    if (rows.length === 0) break;
    const ids = rows.map(({ id }) => id);
    const [removed] = await database.write([
      // One that failed may be retried just now: its bytes stay.
      database.query
        .deleteFrom('drop_file')
        .where('id', 'in', ids.flatMap(rowIdsOf))
        .where('state', '=', state)
        .returning('id'),
      deleteEvents(database, ids),
    ]);
    const gone = new Set((removed?.rows ?? []).map((row) => row['id']));
    for (const { id, size_bytes } of rows) {
      if (!gone.has(id)) continue;
      files += 1;
      size += size_bytes;
      await removeParts(bytes, id);
    }
  }
  if (files < maxPurged) await purgeLeft(deps, drop, state);
  const { count } = await ended()
    .clearSelect()
    .select((from) => from.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { files, bytes: size, left: Number(count) };
}

/** What was beside files that were deleted by themselves; a file that ends just now keeps its own. */
async function purgeLeft({ database, bytes }: RemoveDeps, drop: DropRef, state: 'done' | 'failed') {
  const { query } = database;
  for (let after = ''; ; ) {
    const rows = await filesOf(database, drop)
      .clearSelect()
      .select('id')
      .where('state', '=', state)
      .where('id', '>', after)
      .where(({ or, eb }) => or(endingsBeside.map((ending) => eb('id', 'like', `%${ending}`))))
      .orderBy('id')
      .limit(batchSize)
      .execute();
    const ids = rows.map(({ id }) => id);
    after = ids.at(-1) ?? '';
    if (after === '') return;
    const files = await query
      .selectFrom('drop_file')
      .select('id')
      .where('id', 'in', ids.map(fileOfPart))
      .execute();
    const here = new Set(files.map(({ id }) => id));
    const left = ids.filter((id) => !here.has(fileOfPart(id)));
    if (left.length > 0) await database.write([query.deleteFrom('drop_file').where('id', 'in', left)]);
    for (const id of left) await removeParts(bytes, id);
  }
}

/** Whoever does such work finds its lease gone. */
function deleteWork({ query }: Database, { accountId }: DropRef, ids: readonly string[]) {
  return query
    .deleteFrom('job')
    .where('account_id', '=', accountId)
    .where('kind', '=', dropFileKind)
    .where('subject', 'in', ids);
}
