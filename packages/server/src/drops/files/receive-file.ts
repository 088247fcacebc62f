import type { Compilable } from 'kysely';
import type { WriteResult } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { DropFileState } from '../../storage/tables/drops.js';
import { DropError } from '../drop-error.js';
import type { DropUpload } from '../drop-folders.js';
import type { BegunTransfer } from './begin-transfer.js';
import type { OpenFile } from './file-bytes.js';
import { insertWork } from './file-jobs.js';
import { type DropRef, insertEvent } from './file-rows.js';
import { keepPartial } from './keep-partial.js';
import { type Location, toPath } from './location.js';
import type { ReceiveDeps } from './receive-deps.js';
import { isTemporaryName } from './temporary-name.js';
import type { TransferLease } from './transfer-leases.js';
import { withStorageErrors } from './with-storage-errors.js';

/** The bytes of a transfer that was begun. What it writes is refused once another service has ended it. */
export async function receiveFile(
  deps: ReceiveDeps,
  drop: DropRef,
  begun: BegunTransfer,
): Promise<DropUpload> {
  const { database, clock, bytes, maxFileBytes, folderUid } = deps;
  const { id, location, lease, inserted, offsetBytes } = begun;
  let opened: OpenFile;
  try {
    opened = await bytes.open(id, offsetBytes, lease.guard);
  } catch (error) {
    await inserted.catch(() => undefined);
    const isOver = isRefused(error) && (await isLost(lease));
    lease.end();
    if (isOver) throw lostTransfer(error);
    // What is beyond the offset may be dropped already.
    const bytesHere = await bytes.sizeOf(id).catch(() => begun.keptBytes);
    await keepPartial(deps, id, lease, Math.min(begun.keptBytes, bytesHere));
    throw error;
  }
  let sizeBytes = offsetBytes;
  let isSynced = false;
  const sync = async (): Promise<void> => {
    // What is written down of its bytes is refused before its row is there.
    await (sizeBytes === 0 ? inserted.then(opened.sync) : Promise.all([opened.sync(), inserted]));
    isSynced = true;
  };
  const keepRest = async () => keepPartial(deps, id, lease, await opened.keep());
  return {
    path: toPath(location),
    isHeld: isTemporaryName(location.name),

    async write(chunk) {
      if (sizeBytes + chunk.byteLength > maxFileBytes) {
        throw new DropError('too-large', `a file has at most ${maxFileBytes} bytes here`);
      }
      await inserted;
      // From here on another service may go on with the file.
      if (lease.signal.aborted) throw lostTransfer();
      await opened.write(chunk).catch(async (error: unknown) => {
        throw isRefused(error) && (await isLost(lease)) ? lostTransfer(error) : error;
      });
      sizeBytes += chunk.byteLength;
      isSynced = false;
    },

    sync,

    finish: () =>
      withStorageErrors(async () => {
        const state: DropFileState = isTemporaryName(location.name) ? 'held' : 'arrived';
        let replaced: WriteResult | undefined;
        try {
          if (!isSynced) await sync();
          const now = clock();
          const event = { fileId: id, at: now, what: state, detail: `${sizeBytes} bytes` };
          [, replaced] = await database.write([
            lease.update({ state, size_bytes: sizeBytes, modified_at: now }),
            removeReplaced(deps, drop, location, id),
            // Before rows that name it, which fail in another way where it was deleted.
            lease.fence(state),
            insertEvent(database, drop.accountId, event),
            ...(state === 'arrived'
              ? [insertWork(deps, drop, { id, name: location.name, folder_uid: folderUid })]
              : []),
          ]);
        } catch (error) {
          if (await isLost(lease)) throw lostTransfer(error);
          // Its client gets the first error; where this fails too, `recoverCut` ends the transfer.
          await keepRest().catch(() => undefined);
          throw error;
        } finally {
          lease.end();
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
      withStorageErrors(async () => {
        await inserted.catch(() => undefined);
        try {
          await keepRest();
        } finally {
          lease.end();
          await opened.close();
        }
      }),
  };
}

/** By a fence, or since another has written what comes there. */
function isRefused(error: unknown): boolean {
  return error instanceof StorageError && (error.code === 'not-null' || error.code === 'unique');
}

/** Where that cannot be known, the first error counts. */
async function isLost(lease: TransferLease): Promise<boolean> {
  return !(await lease.isHeld().catch(() => true));
}

function lostTransfer(cause?: unknown): DropError {
  return new DropError(
    'busy',
    'the transfer was ended meanwhile: the service could not renew its lease, or the file was deleted; send it again',
    { cause },
  );
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
