import { sql } from 'kysely';
import { ownedUuid } from '../../storage/blobs/owned-id.js';
import { DropError } from '../drop-error.js';
import { removeWork } from './file-jobs.js';
import { changeableStates, type DropRef, type FileRow, filesAt, insertEvent } from './file-rows.js';
import type { Location } from './location.js';
import type { ReceiveDeps } from './receive-deps.js';
import type { TransferLease } from './transfer-leases.js';
import { withStorageErrors } from './with-storage-errors.js';

/** A transfer that this process holds. */
export interface BegunTransfer {
  readonly id: string;
  readonly location: Location;
  readonly lease: TransferLease;
  /** Resolves when its row is on disk. */
  readonly inserted: Promise<unknown>;
  /** From where its bytes come. */
  readonly offsetBytes: number;
  /** Bytes that are there already, and stay where none comes. */
  readonly keptBytes: number;
}

type BeginDeps = Pick<ReceiveDeps, 'database' | 'clock' | 'folderUid' | 'transfers'>;

const firstEpoch = 1;

/** A new file. Its row is put on disk while its bytes begin to come. */
export function beginFile(deps: BeginDeps, drop: DropRef, location: Location): BegunTransfer {
  const { database, transfers } = deps;
  const id = ownedUuid(drop.accountId);
  const row = newRow(deps, drop, id, location);
  const inserted = withStorageErrors(() =>
    database.write([database.query.insertInto('drop_file').values(row)]),
  );
  inserted.catch(() => undefined);
  const lease = transfers.keep({ fileId: id, epoch: firstEpoch });
  return { id, location, lease, inserted, offsetBytes: 0, keptBytes: 0 };
}

/**
 * A new file under a name that no other has; null where one has it. Such units run one at a time in all services: of two, the
 * second sees the row of the first.
 */
export async function beginUniqueFile(
  deps: BeginDeps,
  drop: DropRef,
  location: Location,
): Promise<BegunTransfer | null> {
  const { database, transfers } = deps;
  const { query } = database;
  const id = ownedUuid(drop.accountId);
  const row = newRow(deps, drop, id, location);
  const texts = ['id', 'area', 'parent', 'name', 'state', 'folder_uid', 'lease_owner'] as const;
  const numbers = [
    ...(['account_id', 'drop_id', 'size_bytes', 'created_at', 'modified_at'] as const),
    ...(['leased_until', 'lease_epoch'] as const),
  ] as const;
  const unlessTaken = query
    .selectNoFrom([
      // PostgreSQL takes a selected parameter for text without a cast.
      ...texts.map((column) => sql<string | null>`cast(${row[column]} as text)`.as(column)),
      ...numbers.map((column) => sql<number>`cast(${row[column]} as bigint)`.as(column)),
    ])
    .where(({ not, exists }) => not(exists(filesAt(database, drop, location).select('id'))));
  const [inserted] = await withStorageErrors(() =>
    database.write(
      [
        query
          .insertInto('drop_file')
          .columns([...texts, ...numbers])
          .expression(unlessTaken),
      ],
      { isSerialized: true },
    ),
  );
  if (inserted?.changes !== 1) return null;
  const lease = transfers.keep({ fileId: id, epoch: firstEpoch });
  return { id, location, lease, inserted: Promise.resolve(), offsetBytes: 0, keptBytes: 0 };
}

/** The rest of a file whose transfer was cut; where it has arrived, it is first taken back from the work. Throws `busy`. */
export async function resumeFile(
  deps: BeginDeps,
  drop: DropRef,
  { id, size_bytes, area, parent, name, lease_epoch }: FileRow,
  offsetBytes: number,
): Promise<BegunTransfer> {
  const { database, clock, folderUid, transfers } = deps;
  const now = clock();
  const [taken] = await database.write([
    database.query
      .updateTable('drop_file')
      .set((row) => ({
        state: 'receiving',
        modified_at: now,
        folder_uid: folderUid,
        lease_epoch: row('lease_epoch', '+', 1),
        ...transfers.begin(),
      }))
      .where('id', '=', id)
      .where('state', 'in', changeableStates)
      // Another transfer may have come and gone since the row was read.
      .where('lease_epoch', '=', lease_epoch)
      .returning('lease_epoch'),
    removeWork(database, drop, id),
    insertEvent(database, drop.accountId, {
      fileId: id,
      at: now,
      what: 'resumed',
      detail: `${size_bytes} bytes were there`,
    }),
  ]);
  const row = taken?.rows[0];
  if (row === undefined)
    throw new DropError('busy', 'the file is being worked on, or another transfer of it was faster');
  const lease = transfers.keep({ fileId: id, epoch: Number(row['lease_epoch']) });
  const location = { area, parent, name };
  return { id, location, lease, inserted: Promise.resolve(), offsetBytes, keptBytes: size_bytes };
}

function newRow(
  { clock, folderUid, transfers }: Pick<ReceiveDeps, 'clock' | 'folderUid' | 'transfers'>,
  drop: DropRef,
  id: string,
  { area, parent, name }: Location,
) {
  const now = clock();
  return {
    id,
    account_id: drop.accountId,
    drop_id: drop.dropId,
    area,
    parent,
    name,
    state: 'receiving',
    size_bytes: 0,
    created_at: now,
    modified_at: now,
    folder_uid: folderUid,
    lease_epoch: firstEpoch,
    ...transfers.begin(),
  } as const;
}
