import type { Kysely, Selectable } from 'kysely';
import type { Database } from '../../storage/database.js';
import { type Page, type PageRequest, toPage } from '../../storage/page.js';
import type { Schema } from '../../storage/schema.js';
import type { AccountDeletion } from './deletion.js';

type Row = Selectable<Schema['account_deletion']>;

/** Null where there is none. */
export async function readDeletion(
  { query }: Pick<Database, 'query'>,
  accountId: number,
): Promise<AccountDeletion | null> {
  const row = await query
    .selectFrom('account_deletion')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const [deletion] = row ? await withCounts(query, [row]) : [];
  return deletion ?? null;
}

/** The newest first; a position is an id of the table. */
export async function listDeletions(
  { query }: Pick<Database, 'query'>,
  { limit, after }: PageRequest<number>,
): Promise<Page<AccountDeletion, number>> {
  let rows = query.selectFrom('account_deletion').selectAll();
  if (after !== undefined) rows = rows.where('id', '<', after);
  const found = await rows
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const { items, next } = toPage(found, limit, ({ id }) => id);
  return { items: await withCounts(query, items), next };
}

/** Folders of the installation that count. */
export async function readFolders(query: Kysely<Schema>): Promise<readonly string[]> {
  const rows = await query.selectFrom('data_folder').select('uid').where('retired_at', 'is', null).execute();
  return rows.map(({ uid }) => uid);
}

async function withCounts(query: Kysely<Schema>, rows: readonly Row[]): Promise<AccountDeletion[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [counts, ended, folders] = await Promise.all([
    query
      .selectFrom('account_deletion_count')
      .selectAll()
      .where('deletion_id', 'in', ids)
      .where('items', '>', 0)
      .orderBy('kind')
      .execute(),
    query
      .selectFrom('account_deletion_folder')
      .select(['deletion_id', 'folder_uid'])
      .where('deletion_id', 'in', ids)
      .where('ended_at', 'is not', null)
      .execute(),
    readFolders(query),
  ]);
  return rows.map((row) => {
    const own = counts.filter(({ deletion_id }) => deletion_id === row.id);
    const reported = new Set(
      ended.filter(({ deletion_id }) => deletion_id === row.id).map(({ folder_uid }) => folder_uid),
    );
    return {
      accountId: row.account_id,
      state: row.ended_at !== null ? 'done' : row.begun_at !== null ? 'running' : 'scheduled',
      askedBy: { kind: row.asked_kind, id: row.asked_id },
      askedAt: row.asked_at,
      dueAt: row.due_at,
      begunAt: row.begun_at,
      endedAt: row.ended_at,
      waitsFor: row.waits_for,
      rows: own
        .filter(({ folder_uid }) => folder_uid === '')
        .map(({ kind, items, bytes }) => ({ kind, items, bytes })),
      files: own
        .filter(({ folder_uid }) => folder_uid !== '')
        .map(({ folder_uid: folder, kind, items, bytes }) => ({ folder, kind, items, bytes })),
      foldersLeft: row.ended_at !== null ? [] : folders.filter((uid) => !reported.has(uid)),
    };
  });
}
