import type { Accounts } from '../accounts/accounts.js';
import type { Clock } from '../core/clock.js';
import type { CallLedger } from '../recognition/call.js';
import type { ChooseModel } from '../recognition/choose-model.js';
import type { Recognition } from '../recognition/recognition.js';
import type { BuiltinModels } from '../service/builtin/builtin-models.js';
import type { JobKind } from '../service/jobs/job.js';
import type { Jobs } from '../service/jobs/jobs.js';
import type { AccountFiles } from '../storage/account-files.js';
import type { DataFolder } from '../storage/data-folder.js';
import type { Database } from '../storage/database.js';
import type { ProcessLeases } from '../storage/leases/process-leases.js';
import type { SweptStore } from '../storage/quarantine/sweep-store.js';
import type { KeyRing } from '../storage/secrets/key-ring.js';
import { forgetThumbnails } from '../storage/thumbnails/forget-thumbnails.js';
import type { ImageRef } from '../storage/thumbnails/thumbnail-files.js';
import type { LogInByKey, LogInToDrop } from './drop-folders.js';
import { type DropManagement, openDropManagement } from './drop-management.js';
import { type Adopted, adoptFolderFiles } from './files/adopt-folder-files.js';
import { arriveHeldFiles } from './files/arrive-held.js';
import type { FileRow } from './files/file-rows.js';
import { createFilesOfDrops } from './files/files-of-drops.js';
import { type DropFileImage, imageOfFile } from './files/image-location.js';
import { type OpenFileBytesDeps, openFileBytes } from './files/open-file-bytes.js';
import { retryPendingNow } from './files/retry-pending-now.js';
import { sweepDropFiles } from './files/sweep-files.js';
import type { RunningExiftool } from './keywords/exiftool.js';
import { createLogIn, createLogInByKey } from './log-in.js';
import { createCircuitBreakers } from './pipeline/circuit-breakers.js';
import { createFileWork, type FileWithoutKeywords } from './pipeline/file-work.js';

/** What the settings of the service say of drops. */
interface DropLimits {
  readonly maxFileBytes: number;
  readonly maxUnfinishedFiles: number;
  /** Room on the disk that drops leave to others. */
  readonly reserveBytes: number;
  readonly mayServiceBeRunning?: boolean;
  readonly settleMs: number;
  readonly retryForMs: number;
  /** Files at once. */
  readonly concurrency: number;
  readonly maxImageBytes: number;
  /** Networks (CIDR, comma separated) that destinations may be in although they are private. */
  readonly allowedNetworks: string;
  /** Folders of this machine, absolute, comma separated, that destinations may be in. */
  readonly allowedFolders: string;
  /** Below which each drop has a host name of its own; empty where there is none. */
  readonly domain: string;
  /** Where drops are reached by FTP; null or left out: not at all. */
  readonly ftpPort?: number | null;
  /** By SFTP. */
  readonly sftpPort?: number | null;
}

export interface DropStoreDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly folder: Pick<DataFolder, 'dir' | 'dropsDir'>;
  /** Null where files are in the data folder. */
  readonly objects: OpenFileBytesDeps['objects'];
  /** Of that data folder; null in a command. */
  readonly filesFolderUid: string | null;
  readonly leases: ProcessLeases;
  /** With which passwords of destinations are sealed. */
  readonly installationKeys: KeyRing;
  readonly accounts: Pick<Accounts, 'ownKeys' | 'ownerOfKey' | 'authenticateDrop'> & CallLedger;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
  readonly recognition: Recognition;
  readonly chooseModel: ChooseModel;
  readonly builtinModels: Pick<BuiltinModels, 'defaults'>;
  readonly exiftool: Pick<RunningExiftool, 'of'>;
  readonly limits: DropLimits;
  /** Called for files that are removed. */
  readonly forgetThumbnails: (image: ImageRef) => Promise<unknown>;
  /** Files that waited for a destination which works again were not begun at once. */
  readonly onRetryFailure: (error: unknown) => void;
  /** A file that can get no keywords will be delivered as it came. */
  readonly onWithoutKeywords: (file: FileWithoutKeywords) => void;
}

/** Drops with their files, and the work on them. */
export interface DropStore extends DropManagement {
  readonly logIn: LogInToDrop;
  readonly logInByKey: LogInByKey;
  readonly work: JobKind;
  /** Null where drops are not reached by FTP. */
  readonly ftpPort: number | null;
  /** Null where drops are not reached by SFTP. */
  readonly sftpPort: number | null;
  /** What there is to be seen of a file. Throws `conflict` before it is whole. */
  imageOf(row: FileRow): DropFileImage;
  /** Moves files of drops from the data folder into the bucket, where there is one; before anybody works on them. */
  adoptFolderFiles(): Promise<Adopted>;
  /** Whether there are bytes of a file. */
  hasBytes(id: string): Promise<boolean>;
  /** Ends transfers that nobody receives any more; before anybody may send, and now and then. Answers how many. */
  recoverCut(): Promise<number>;
  /** Deletes files whose time is over, and the rest of drops whose deletion failed. */
  sweep(fenced: Database): Promise<void>;
  /** Bytes of files, for the sweep of what no row names. */
  readonly sweptBytes: SweptStore;
  /** Bytes of files, for the deletion of an account. */
  readonly accountFiles: AccountFiles;
}

export async function openDropStore(deps: DropStoreDeps): Promise<DropStore> {
  const { database, clock, installationKeys, accounts, jobs, limits } = deps;
  const { maxFileBytes, maxUnfinishedFiles, settleMs } = limits;
  const opened = await openFileBytes(deps);
  const bytes = forgetThumbnails(opened.bytes, 'drop', deps.forgetThumbnails);
  const { ownKeys } = accounts;
  const breakers = createCircuitBreakers({
    nowMs: clock,
    // What fails here is late and not lost.
    onRecovered: (drop) => void retryPendingNow(deps, drop).catch(deps.onRetryFailure),
  });
  const management = await openDropManagement({
    database,
    clock,
    installationKeys,
    ownKeys,
    jobs,
    bytes,
    limits,
    withKeyLock: deps.leases.withSharedLock,
    onRetryFailure: deps.onRetryFailure,
    onTested: (drop) => breakers.end(drop),
  });
  const { drops, destinationDeps } = management;
  const files = createFilesOfDrops({
    database,
    clock,
    bytes,
    jobs,
    maxFileBytes,
    maxUnfinishedFiles,
    settleMs,
    // Files in a bucket are of no folder: every service can go on with them.
    folderUid: deps.objects === null ? deps.filesFolderUid : null,
    leases: deps.leases,
  });
  const logInDeps = { database, accounts, foldersOf: files.foldersOf, dropDomain: limits.domain };
  return {
    ...management,
    ftpPort: limits.ftpPort ?? null,
    sftpPort: limits.sftpPort ?? null,
    logIn: createLogIn(logInDeps),
    logInByKey: createLogInByKey(logInDeps),
    work: createFileWork({
      ...deps,
      ...limits,
      bytes,
      drops,
      destinationDeps,
      breakers,
      withKeyLock: deps.leases.withSharedLock,
    }),
    imageOf: (row) =>
      imageOfFile({ bytes, exiftool: deps.exiftool, maxImageBytes: limits.maxImageBytes }, row),
    hasBytes: async (id) => (await bytes.sizeOf(id)) > 0,
    adoptFolderFiles: async () =>
      deps.objects === null
        ? { files: 0, failed: [] }
        : adoptFolderFiles({
            ...{ database, bytes },
            dropsDir: deps.folder.dropsDir,
            folderUid: deps.filesFolderUid,
          }),
    // Only where files are received can one know which transfers are over.
    recoverCut: async () => (limits.ftpPort || limits.sftpPort ? files.recoverCut() : 0),
    async sweep(fenced) {
      // Of drops whose bytes could not be deleted then, as when the object store was away.
      await management.deletion.finish();
      await arriveHeldFiles({ ...deps, ...limits, database: fenced }, clock());
      await sweepDropFiles({ database: fenced, bytes }, clock());
      await opened.sweepRows(fenced, clock());
    },
    sweptBytes: opened.swept,
    accountFiles: opened.accountFiles(bytes),
  };
}
