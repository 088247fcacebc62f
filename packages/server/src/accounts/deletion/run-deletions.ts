import { type Selectable, sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import type { AccountFiles } from '../../storage/account-files.js';
import type { Database } from '../../storage/database.js';
import type { Schema } from '../../storage/schema.js';
import { deleteRows } from './delete-rows.js';
import { readFolders } from './read-deletions.js';

interface RunDeletionsDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Of this service; no two have the same. */
  readonly owner: string;
  /** UID of the data folder of this service. */
  readonly folder: string;
  readonly files: readonly AccountFiles[];
  /** Deletes what is known to be of the account and is in no store; it is done unless a backup that is being made holds files. */
  readonly deleteRest: (accountId: number) => Promise<{ readonly items: number; readonly isDone: boolean }>;
  /** Overwrites what the database has deleted but still keeps in its files. */
  readonly compact: () => Promise<void>;
  readonly onEvent: (accountId: number, event: 'account deletion begun' | 'account deleted') => void;
}

type Deletion = Selectable<Schema['account_deletion']>;

const leaseMs = 60_000;

/** Fires when the service stops: what was begun goes on at the next start. */
export type RunDeletions = (signal: AbortSignal) => Promise<void>;

/**
 * Takes each deletion that is due one or more steps further; called again and again by every service. Each step can be cut at any
 * point and done again:
 * 1. begun; work that runs for the account ends;
 * 2. in each data folder, the files that rows name are deleted;
 * 3. one service deletes the rows, when all folders have done that;
 * 4. in each folder, what else is known to be the account's is deleted, quarantine included;
 * 5. when all folders have reported, the receipt is complete.
 */
export function createRunDeletions(deps: RunDeletionsDeps): RunDeletions {
  const { database, clock, owner, folder, files } = deps;
  const { query } = database;

  const begin = async ({ id, account_id: accountId }: Deletion): Promise<boolean> => {
    const [begun] = await database.write([
      query
        .updateTable('account_deletion')
        .set({ begun_at: clock() })
        .where('id', '=', id)
        .where('begun_at', 'is', null)
        .where('due_at', '<=', clock()),
      query
        .updateTable('job')
        .set({ cancel_asked: 1 })
        .where('account_id', '=', accountId)
        .where('leased_until', 'is not', null)
        .where('ended_at', 'is', null),
    ]);
    if (begun?.changes === 1) deps.onEvent(accountId, 'account deletion begun');
    return begun?.changes === 1;
  };

  /** Jobs are not begun for a closed account; those that a service still works on end within seconds, its lease where it died. */
  const isIdle = async (accountId: number): Promise<boolean> => {
    const running = await query
      .selectFrom('job')
      .select('id')
      .where('account_id', '=', accountId)
      .where('ended_at', 'is', null)
      .where('leased_until', '>=', clock())
      .limit(1)
      .executeTakeFirst();
    return running === undefined;
  };

  const waitFor = async (id: number, what: string | null): Promise<void> => {
    await database.write([
      query
        .updateTable('account_deletion')
        .set({ waits_for: what })
        .where('id', '=', id)
        .where(sql<boolean>`coalesce(waits_for, '') <> ${what ?? ''}`),
    ]);
  };

  const countFiles =
    (deletionId: number, store: string, signal: AbortSignal) =>
    async ({ items, bytes }: { readonly items: number; readonly bytes: number }) => {
      if (items > 0) {
        await database.write([
          query
            .insertInto('account_deletion_count')
            .values({ deletion_id: deletionId, folder_uid: folder, kind: store, items, bytes })
            .onConflict((conflict) =>
              conflict.columns(['deletion_id', 'folder_uid', 'kind']).doUpdateSet({
                items: sql<number>`account_deletion_count.items + excluded.items`,
                bytes: sql<number>`account_deletion_count.bytes + excluded.bytes`,
              }),
            ),
        ]);
      }
      signal.throwIfAborted();
    };

  const report = (deletionId: number, at: 'named_at' | 'ended_at') =>
    database.write([
      query
        .insertInto('account_deletion_folder')
        .values({
          deletion_id: deletionId,
          folder_uid: folder,
          named_at: null,
          ended_at: null,
          [at]: clock(),
        })
        .onConflict((conflict) =>
          conflict.columns(['deletion_id', 'folder_uid']).doUpdateSet({ [at]: clock() }),
        ),
    ]);

  const foldersWithout = async (deletionId: number, at: 'named_at' | 'ended_at'): Promise<string[]> => {
    const rows = await query
      .selectFrom('account_deletion_folder')
      .select('folder_uid as uid')
      .where('deletion_id', '=', deletionId)
      .where(at, 'is not', null)
      .execute();
    const reported = new Set(rows.map(({ uid }) => uid));
    return (await readFolders(query)).filter((uid) => !reported.has(uid));
  };

  const takeLease = async (id: number): Promise<boolean> => {
    const now = clock();
    const [taken] = await database.write([
      query
        .updateTable('account_deletion')
        .set({ lease_owner: owner, leased_until: now + leaseMs })
        .where('id', '=', id)
        .where('rows_deleted_at', 'is', null)
        .where((is) =>
          is.or([
            is('leased_until', 'is', null),
            is('leased_until', '<', now),
            is('lease_owner', '=', owner),
          ]),
        ),
    ]);
    return taken?.changes === 1;
  };

  const deleteAllRows = async ({ id, account_id: accountId }: Deletion, signal: AbortSignal) => {
    if (!(await takeLease(id))) return;
    let renewedMs = clock();
    await deleteRows(database, {
      deletionId: id,
      accountId,
      clock,
      async onBatch() {
        signal.throwIfAborted();
        if (clock() - renewedMs < leaseMs / 4) return;
        renewedMs = clock();
        if (!(await takeLease(id))) throw new Error('another service deletes the rows of this account');
      },
    });
  };

  const advance = async (deletion: Deletion, signal: AbortSignal): Promise<void> => {
    const { id, account_id: accountId } = deletion;
    if (deletion.begun_at === null && !(await begin(deletion))) return;
    if (deletion.rows_deleted_at === null) {
      if (!(await isIdle(accountId))) return waitFor(id, 'jobs of the account to end');
      if ((await foldersWithout(id, 'named_at')).includes(folder)) {
        for (const store of files) await store.deleteNamed(accountId, countFiles(id, store.store, signal));
        await report(id, 'named_at');
      }
      const left = await foldersWithout(id, 'named_at');
      if (left.length > 0) return waitFor(id, foldersText(left));
      await waitFor(id, null);
      await deleteAllRows(deletion, signal);
      const rows = await query
        .selectFrom('account_deletion')
        .select('rows_deleted_at')
        .where('id', '=', id)
        .executeTakeFirst();
      if (rows?.rows_deleted_at == null) return;
    }
    if ((await foldersWithout(id, 'ended_at')).includes(folder)) {
      for (const store of files) await store.deleteOrphans(accountId, countFiles(id, store.store, signal));
      const { items, isDone } = await deps.deleteRest(accountId);
      await countFiles(id, 'quarantine', signal)({ items, bytes: 0 });
      if (!isDone) return waitFor(id, 'a backup that is being made to end');
      await deps.compact();
      await report(id, 'ended_at');
    }
    const left = await foldersWithout(id, 'ended_at');
    if (left.length > 0) return waitFor(id, foldersText(left));
    const [ended] = await database.write([
      query
        .updateTable('account_deletion')
        .set({ ended_at: clock(), waits_for: null, lease_owner: null, leased_until: null })
        .where('id', '=', id)
        .where('ended_at', 'is', null),
    ]);
    if (ended?.changes === 1) deps.onEvent(accountId, 'account deleted');
  };

  return async (signal) => {
    const due = await query
      .selectFrom('account_deletion')
      .selectAll()
      .where('ended_at', 'is', null)
      .where('due_at', '<=', clock())
      .orderBy('due_at')
      .execute();
    const failures: unknown[] = [];
    for (const deletion of due) {
      // One that fails holds up no other.
      await advance(deletion, signal).catch((error: unknown) => failures.push(error));
      if (signal.aborted) return;
    }
    if (failures.length > 0) throw failures[0];
  };
}

function foldersText(uids: readonly string[]): string {
  return `the services of data folders ${uids.join(', ')}: start them, or retire folders that are gone (lynceus folders retire)`;
}
