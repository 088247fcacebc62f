import type { Compilable, Selectable, UpdateQueryBuilder, UpdateResult } from 'kysely';
import type { Database } from '../../storage/database.js';
import type { Schema } from '../../storage/schema.js';
import type { DropFileState } from '../../storage/tables/drops.js';
import type { Location } from './location.js';

/** A drop, as its files name it. */
export interface DropRef {
  readonly accountId: number;
  readonly dropId: number;
}

export type FileRow = Selectable<Schema['drop_file']>;

/** States in which a client may still go on with a file, rename or remove it. */
export const changeableStates: readonly DropFileState[] = ['partial', 'held', 'arrived'];

/** The files of a drop, to be narrowed down. */
export function filesOf({ query }: Pick<Database, 'query'>, { accountId, dropId }: DropRef) {
  return query
    .selectFrom('drop_file')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('drop_id', '=', dropId);
}

/** Those of a name, to be selected from. */
export function filesAt(
  { query }: Pick<Database, 'query'>,
  { accountId, dropId }: DropRef,
  { area, parent, name }: Location,
) {
  return query
    .selectFrom('drop_file')
    .where('account_id', '=', accountId)
    .where('drop_id', '=', dropId)
    .where('area', '=', area)
    .where('parent', '=', parent)
    .where('name', '=', name);
}

/** The newest of a name: those before it are worked on. */
export async function findFile(
  database: Pick<Database, 'query'>,
  drop: DropRef,
  location: Location,
): Promise<FileRow | null> {
  const row = await filesAt(database, drop, location)
    .selectAll()
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Changes a file, unless it is in another state by now. */
export function updateFile(
  { query }: Pick<Database, 'query'>,
  id: string,
  from: readonly DropFileState[],
  change: Partial<FileRow>,
): UpdateQueryBuilder<Schema, 'drop_file', 'drop_file', UpdateResult> {
  return query.updateTable('drop_file').set(change).where('id', '=', id).where('state', 'in', from);
}

/** For the file's history. */
export function insertEvent(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  event: {
    readonly fileId: string;
    readonly at: number;
    readonly what: string;
    readonly detail?: string | null;
  },
): Compilable {
  const { fileId, at, what, detail = null } = event;
  return query.insertInto('drop_event').values({ account_id: accountId, file_id: fileId, at, what, detail });
}

/** Deletes the history of those of these files that there are no longer. */
export function deleteEvents({ query }: Pick<Database, 'query'>, ids: readonly string[]): Compilable {
  return query
    .deleteFrom('drop_event')
    .where('file_id', 'in', ids)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('drop_file').select('drop_file.id').whereRef('drop_file.id', '=', 'drop_event.file_id'),
        ),
      ),
    );
}
