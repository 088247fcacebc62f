import type { Readable } from 'node:stream';
import type { OwnKeys } from '../accounts/own-keys.js';
import type { Clock } from '../core/clock.js';
import type { WithKeyLock } from '../core/keyed-mutex.js';
import { ServiceError } from '../core/service-error.js';
import type { DestinationDeps } from '../delivery/destination.js';
import { parseAllowedFolders } from '../delivery/folder-destination.js';
import { parseNetworks } from '../intake/public-address.js';
import type { Jobs } from '../service/jobs/jobs.js';
import type { Database } from '../storage/database.js';
import { withKeysHeld } from '../storage/secrets/key-fence.js';
import type { KeyRing } from '../storage/secrets/key-ring.js';
import { createSecretBox } from '../storage/secrets/secret-box.js';
import { createDropDeletion, type DropDeletion } from './deletion.js';
import { createDrops, type Drops } from './drops.js';
import { countFiles, type FileCounts } from './files/count-files.js';
import type { FileBytes } from './files/file-bytes.js';
import { partId, shownPart } from './files/file-parts.js';
import { createFileRecords, type FileRecords } from './files/file-records.js';
import type { DropRef, FileRow } from './files/file-rows.js';
import { type FilesReceipt, purgeFiles, removeFile } from './files/remove-files.js';
import { retryFailed, retryFile } from './files/retry-file.js';
import { retryPendingNow } from './files/retry-pending-now.js';
import { hostNameOf } from './log-in.js';
import { outputOf } from './pipeline/output.js';
import { checkDestination, type DestinationVerdict, testDestination } from './test-destination.js';

/** Drops and their files, for who looks after them: what needs nobody at work on the files. */
export interface DropManagement {
  readonly drops: Drops;
  readonly deletion: DropDeletion;
  readonly files: FileRecords & {
    count(accountId: number, dropIds: readonly number[]): Promise<ReadonlyMap<number, FileCounts>>;
    open(row: FileRow): Promise<OpenedFile>;
    retry(drop: DropRef, id: string): Promise<void>;
    retryFailed(drop: DropRef): Promise<{ readonly files: number; readonly left: number }>;
    remove(drop: DropRef, id: string): Promise<FilesReceipt>;
    purge(drop: DropRef, state: 'done' | 'failed'): Promise<FilesReceipt & { readonly left: number }>;
  };
  testDestination(accountId: number, dropId: number, signal: AbortSignal): Promise<DestinationVerdict>;
  /** The drop's own host name; null where the installation has no domain for them. */
  hostOf(userName: string): string | null;
  readonly destinationDeps: Omit<DestinationDeps, 'keepHostKey'>;
}

interface DropManagementDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** With which passwords of destinations are sealed. */
  readonly installationKeys: KeyRing;
  readonly ownKeys: Pick<OwnKeys, 'create' | 'revoke'>;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
  readonly bytes: FileBytes;
  /** Of names at destinations, in all services. */
  readonly withKeyLock: WithKeyLock;
  readonly limits: {
    readonly allowedNetworks: string;
    readonly allowedFolders: string;
    readonly domain: string;
  };
  /** Files that waited for a destination which works again were not begun at once. */
  readonly onRetryFailure: (error: unknown) => void;
  /** A test of a drop's destination went well. */
  readonly onTested?: (drop: DropRef) => void;
}

export async function openDropManagement(deps: DropManagementDeps): Promise<DropManagement> {
  const { database, clock, installationKeys, ownKeys, bytes, limits } = deps;
  const secretBox = createSecretBox(installationKeys);
  const destinationDeps = {
    allowedNetworks: parseNetworks('deliveryAllowedNetworks', limits.allowedNetworks),
    allowedFolders: parseAllowedFolders(limits.allowedFolders),
    withKeyLock: deps.withKeyLock,
  };
  const drops = createDrops({
    database,
    clock,
    ownKeys,
    secretBox,
    sealing: withKeysHeld(database, installationKeys),
    checkDestination: (whole) => checkDestination(destinationDeps, whole),
  });
  /** What it is for was done, and they come by their own time. */
  const retryNow = (drop: DropRef) => retryPendingNow(deps, drop).catch(deps.onRetryFailure);
  return {
    drops: {
      ...drops,
      async change(accountId, id, change) {
        const changed = await drops.change(accountId, id, change);
        if (change.destination !== undefined) await retryNow({ accountId, dropId: id });
        return changed;
      },
    },
    destinationDeps,
    deletion: createDropDeletion({ database, clock, ownKeys, bytes }),
    files: {
      ...createFileRecords({ database }),
      count: (accountId, dropIds) => countFiles(database, accountId, dropIds, clock()),
      open: (row) => openFile(bytes, row),
      retry: (drop, id) => retryFile(deps, drop, id),
      retryFailed: (drop) => retryFailed(deps, drop),
      remove: (drop, id) => removeFile(deps, drop, id),
      purge: (drop, state) => purgeFiles(deps, drop, state),
    },
    async testDestination(accountId, dropId, signal) {
      const verdict = await testDestination({ drops, destinationDeps }, accountId, dropId, signal);
      if (verdict.isGood) {
        deps.onTested?.({ accountId, dropId });
        await retryNow({ accountId, dropId });
      }
      return verdict;
    },
    hostOf: (userName) => hostNameOf(userName, limits.domain),
  };
}

interface OpenedFile {
  readonly mediaType: string;
  readonly sizeBytes: number;
  /** To be read or destroyed by the caller. */
  readonly stream: Readable;
}

/** What is shown of a file: with its keywords once it is done. Throws `conflict` before it is whole, and `not_found`. */
async function openFile(bytes: Pick<FileBytes, 'read' | 'sizeOf'>, row: FileRow): Promise<OpenedFile> {
  if (row.state === 'receiving' || row.state === 'partial') {
    throw new ServiceError('conflict', 'the file is not whole yet');
  }
  const part = shownPart(row);
  const id = partId(row.id, part);
  const stream = await bytes.read(id, 0);
  if (stream === null) throw new ServiceError('not_found', 'the bytes of this file are gone');
  const mediaType = outputOf(row)?.files.find((file) => file.part !== 'sidecar')?.mediaType;
  return { mediaType: mediaType ?? 'application/octet-stream', sizeBytes: await bytes.sizeOf(id), stream };
}
