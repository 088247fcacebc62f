import { hostname } from 'node:os';
import { type Compilable, type Kysely, type Selectable, sql } from 'kysely';
import type { Schema } from '../schema.js';

export type FolderRow = Selectable<Schema['data_folder']>;

/** What a database knows of the pair. */
export interface DatabaseIdentity {
  /** Null: it has none. */
  readonly installation: string | null;
  readonly folders: readonly FolderRow[];
  readonly hasAccounts: boolean;
}

/** @param applied the migrations that the database has: it may be of an older version, or new. */
export async function readDatabaseIdentity(
  query: Kysely<Schema> | null,
  applied: ReadonlySet<string>,
): Promise<DatabaseIdentity> {
  if (query === null || applied.size === 0) return { installation: null, folders: [], hasAccounts: false };
  const account = await query.selectFrom('account').select('id').limit(1).executeTakeFirst();
  const hasAccounts = account !== undefined;
  const installation = await query.selectFrom('installation').select('uid').executeTakeFirst();
  const folders = await query.selectFrom('data_folder').selectAll().orderBy('joined_at').execute();
  return { installation: installation?.uid ?? null, folders, hasAccounts };
}

/** Host and path of a folder, as its row shows it. */
export function labelOf({ dir }: { readonly dir: string }): string {
  return `${hostname()}:${dir}`;
}

type NewFolder = Pick<FolderRow, 'uid' | 'label' | 'generation'>;

/** Names the installation, unless it has a name already. */
export function nameInstallation(query: Kysely<Schema>, uid: string, nowMs: number): Compilable {
  return query
    .insertInto('installation')
    .values({ only: 1, uid, created_at: nowMs, bucket_uid: null, bucket_address: null })
    .onConflict((conflict) => conflict.column('only').doNothing());
}

/** Registers a folder, or brings its row up to date; nothing where the installation is another one. */
export function registerFolder(
  query: Kysely<Schema>,
  installation: string,
  { uid, label, generation }: NewFolder,
  nowMs: number,
): Compilable {
  const values = {
    uid,
    label,
    generation,
    started_at: nowMs,
    seen_at: nowMs,
    stopped_at: null,
    retired_at: null,
  };
  return query
    .insertInto('data_folder')
    .columns(['uid', 'label', 'generation', 'joined_at', 'started_at', 'seen_at'])
    .expression((from) =>
      from
        .selectFrom('installation')
        .where('installation.uid', '=', installation)
        .select([
          sql<string>`cast(${uid} as text)`.as('uid'),
          sql<string>`cast(${label} as text)`.as('label'),
          sql<number>`cast(${generation} as bigint)`.as('generation'),
          sql<number>`cast(${nowMs} as bigint)`.as('joined_at'),
          sql<number>`cast(${nowMs} as bigint)`.as('started_at'),
          sql<number>`cast(${nowMs} as bigint)`.as('seen_at'),
        ]),
    )
    .onConflict((conflict) => conflict.column('uid').doUpdateSet(values));
}
