import type { Compilable } from 'kysely';
import type { Jobs } from '../../jobs/jobs.js';
import { ownedUuid } from '../../storage/blobs/owned-id.js';
import type { Database, WriteResult } from '../../storage/database.js';
import type { DropFileState } from '../../storage/tables/drops.js';
import { DropError } from '../drop-error.js';
import type { DropUpload } from '../drop-folders.js';
import type { FileBytes, OpenFile } from './file-bytes.js';
import { changeableStates, type DropRef, type FileRow, insertEvent, updateFile } from './file-rows.js';
import { type Location, toPath } from './location.js';
import { isTemporaryName } from './temporary-name.js';
import { withDiskFullError } from './with-disk-full-error.js';

/** The work on one file; its subject is the file's id. */
export const dropFileKind = 'drop-file';

export interface ReceiveDeps {
  readonly database: Database;
  readonly clock: () => number;
  readonly bytes: FileBytes;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
  /** Of one file. */
  readonly maxFileBytes: number;
  /** A file that has arrived can be renamed, gone on with and removed for so long. */
  readonly settleMs: number;
  /** Ids of files that are being received by this service. */
  readonly receiving: Set<string>;
  /** Of the data folder that the bytes are in. */
  readonly folderUid: string;
}

/** A file on its way in, from its beginning or from where an earlier transfer was cut. */
export async function receiveFile(
  deps: ReceiveDeps,
  drop: DropRef,
  location: Location,
  resumed: { readonly row: FileRow; readonly offsetBytes: number } | null,
): Promise<DropUpload> {
  const { database, clock, bytes, maxFileBytes, receiving } = deps;
  const id = resumed?.row.id ?? ownedUuid(drop.accountId);
  const offsetBytes = resumed?.offsetBytes ?? 0;
  // What is worked on must not be cut: first it is taken back from the work.
  if (resumed) await takeUp(deps, drop, resumed.row);
  let opened: OpenFile;
  receiving.add(id);
  try {
    opened = await bytes.open(id, offsetBytes);
  } catch (error) {
    receiving.delete(id);
    if (resumed) await keepPartial(deps, id, resumed.row.size_bytes);
    else await bytes.remove(id);
    throw error;
  }
  // Its row is put on disk while its bytes begin to come.
  const inserted = resumed
    ? Promise.resolve()
    : withDiskFullError(() => database.write([insertFile(deps, drop, id, location)]));
  inserted.catch(() => undefined);
  let sizeBytes = offsetBytes;
  let isSynced = false;
  const sync = async (): Promise<void> => {
    await Promise.all([opened.sync(), inserted]);
    isSynced = true;
  };
  return {
    path: toPath(location),

    async write(chunk) {
      if (sizeBytes + chunk.byteLength > maxFileBytes) {
        throw new DropError('too-large', `a file has at most ${maxFileBytes} bytes here`);
      }
      await inserted;
      await opened.write(chunk);
      sizeBytes += chunk.byteLength;
      isSynced = false;
    },

    sync,

    finish: () =>
      withDiskFullError(async () => {
        const state: DropFileState = isTemporaryName(location.name) ? 'held' : 'arrived';
        let replaced: WriteResult | undefined;
        try {
          if (!isSynced) await sync();
          const now = clock();
          const event = { fileId: id, at: now, what: state, detail: `${sizeBytes} bytes` };
          [replaced] = await database.write([
            removeReplaced(deps, drop, location, id),
            updateFile(database, id, ['receiving'], { state, size_bytes: sizeBytes, modified_at: now }),
            insertEvent(database, drop.accountId, event),
            ...(state === 'arrived' ? [insertWork(deps, drop, id)] : []),
          ]);
        } catch (error) {
          // Its client gets the first error; where this fails too, `recoverAbandoned` ends the transfer.
          await keepPartial(deps, id, sizeBytes).catch(() => undefined);
          throw error;
        } finally {
          receiving.delete(id);
          // Its bytes are on disk.
          opened.close().catch(() => undefined);
        }
        // It has arrived even if these fail: a client that gets an error would send it again.
        for (const row of replaced?.rows ?? []) {
          await bytes.remove(String(row['id'])).catch(() => undefined);
        }
        deps.jobs.wake();
      }),

    cut: () =>
      withDiskFullError(async () => {
        await inserted.catch(() => undefined);
        receiving.delete(id);
        await opened.close();
        await keepPartial(deps, id, sizeBytes);
      }),
  };
}

/** For the unit by which a file arrives. */
export function insertWork(
  { jobs, settleMs }: Pick<ReceiveDeps, 'jobs' | 'settleMs'>,
  { accountId }: DropRef,
  fileId: string,
): Compilable {
  return jobs.insert(accountId, { kind: dropFileKind, subject: fileId, payload: null, delayMs: settleMs })
    .statement;
}

/** For the unit in which a file that may have arrived was taken back; work that is under way finds it changed. */
export function removeWork(
  { query }: Pick<Database, 'query'>,
  { accountId }: DropRef,
  fileId: string,
): Compilable {
  return query
    .deleteFrom('job')
    .where('account_id', '=', accountId)
    .where('kind', '=', dropFileKind)
    .where('subject', '=', fileId)
    .where(({ not, exists }) =>
      not(
        exists(
          query
            .selectFrom('drop_file')
            .select('id')
            .where('id', '=', fileId)
            .where('state', 'in', ['arrived', 'predicted', 'written']),
        ),
      ),
    );
}

/** What of a transfer is on disk when it was cut; nothing is kept of a file without a byte. */
export async function keepPartial(
  { database, clock, bytes }: Pick<ReceiveDeps, 'database' | 'clock' | 'bytes'>,
  id: string,
  sizeBytes: number,
): Promise<void> {
  if (sizeBytes > 0) {
    const change = { state: 'partial', size_bytes: sizeBytes, modified_at: clock() } as const;
    await database.write([updateFile(database, id, ['receiving'], change)]);
    return;
  }
  await database.write([
    database.query.deleteFrom('drop_file').where('id', '=', id).where('state', '=', 'receiving'),
  ]);
  await bytes.remove(id);
}

function insertFile(
  { database, clock, folderUid }: ReceiveDeps,
  drop: DropRef,
  id: string,
  location: Location,
): Compilable {
  const now = clock();
  return database.query.insertInto('drop_file').values({
    id,
    account_id: drop.accountId,
    drop_id: drop.dropId,
    ...location,
    state: 'receiving',
    size_bytes: 0,
    created_at: now,
    modified_at: now,
    folder_uid: folderUid,
  });
}

async function takeUp(
  { database, clock, folderUid }: ReceiveDeps,
  drop: DropRef,
  { id, size_bytes }: FileRow,
): Promise<void> {
  const now = clock();
  const [taken] = await database.write([
    updateFile(database, id, changeableStates, {
      state: 'receiving',
      modified_at: now,
      folder_uid: folderUid,
    }),
    removeWork(database, drop, id),
    insertEvent(database, drop.accountId, {
      fileId: id,
      at: now,
      what: 'resumed',
      detail: `${size_bytes} bytes were there`,
    }),
  ]);
  if (taken?.changes !== 1) throw new DropError('busy', 'the file is being worked on');
}

/** What was cut or held under the same name is replaced by what is whole; answers the ids of that. */
function removeReplaced(
  { database }: ReceiveDeps,
  { accountId, dropId }: DropRef,
  { area, parent, name }: Location,
  id: string,
): Compilable {
  return database.query
    .deleteFrom('drop_file')
    .where('account_id', '=', accountId)
    .where('drop_id', '=', dropId)
    .where('area', '=', area)
    .where('parent', '=', parent)
    .where('name', '=', name)
    .where('state', 'in', ['partial', 'held'])
    .where('id', '<>', id)
    .returning('id');
}
