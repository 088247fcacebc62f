import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type DataFolder, prepareDataFolder } from '../../storage/data-folder.js';
import type { DiskGuard } from '../../storage/disk-guard.js';
import { readFolderIdentity } from '../../storage/identity/folder-identity.js';
import { shippedSteps } from '../../storage/migrations/migrations.js';
import { refuseBefore } from '../../storage/migrations/refuse-before.js';
import { pendingSteps } from '../../storage/migrations/run-migrations.js';
import { type DatabaseRestore, finishRestore, undoRestore } from '../../storage/restore/end-restore.js';
import { gatherIntoOneFile, sqlitePaths } from '../../storage/restore/one-file.js';
import {
  type RestoreMarker,
  readRestoreMarker,
  refuseDuringRestore,
} from '../../storage/restore/restore-marker.js';
import { beginSwap, nameAsideDir, type OnStep, removeRestoring } from '../../storage/restore/swap.js';
import { checkDatabase, lockForRestore, suspension } from '../../storage/restore.js';
import { StorageError } from '../../storage/storage-error.js';
import { suspendSweeps } from '../../storage/sweep-suspension.js';
import { type ArchiveHeader, type ArchiveSummary, refuse } from './archive-format.js';
import { type ExpectedInstallation, refuseOtherInstallation } from './other-installation.js';
import { unpackArchive, unpackedDatabase } from './unpack-archive.js';

/** A database that is not in the data folder. */
export interface OutsideDatabase extends DatabaseRestore {
  /** Throws where this archive cannot be restored into it. */
  check(wanted: ExpectedInstallation): Promise<void>;
}

export interface RestoreArchiveOptions {
  /** For messages. */
  readonly source: string;
  /** Null: SQLite in the data folder. */
  readonly outside: OutsideDatabase | null;
  readonly disk: Pick<DiskGuard, 'require' | 'guard'>;
  readonly nowMs: number;
  /** Whether the archive may take the place of another installation. */
  readonly mayReplaceOther?: boolean;
  readonly onStep?: OnStep;
}

export interface RestoredArchive extends ArchiveSummary {
  /** Where what was there is now; null when nothing was there. */
  readonly replacedDir: string | null;
  /** Whether the key that opens sealed passwords is in the folder. */
  readonly hasKey: boolean;
}

/** Of the data folder; caches of what is restored are deleted too, and rebuilt. */
const filePaths: readonly string[] = [
  ...['blobs/datasets', 'blobs/faces', 'blobs/imports', 'blobs/media', 'blobs/pictures'],
  ...['custom-models', 'drops', 'features', 'thumbnails', 'installation.json'],
];
/** Replaced where the archive has them, and else kept. */
const secretPaths: readonly string[] = ['first-key', 'ftp', 'sftp', 'secret-key', 'secret-key.next'];

/**
 * Puts an archive in the place of the database and the files of a data folder. All of it is unpacked and checked before
 * anything is touched, no service may run meanwhile, and what was there is kept aside. Killed at any point, it leaves the
 * old state, the new one, or a marker by which it is finished or undone.
 */
export async function restoreArchive(
  folder: DataFolder,
  pieces: AsyncIterable<Uint8Array>,
  options: RestoreArchiveOptions,
): Promise<RestoredArchive> {
  const { source, outside, disk, nowMs, mayReplaceOther = false, onStep = () => {} } = options;
  prepareDataFolder(folder);
  const lock = await lockForRestore(folder);
  try {
    await refuseDuringRestore(folder);
    await removeRestoring(folder);
    const check = (header: ArchiveHeader) => checkHeader(header, { folder, outside, mayReplaceOther });
    const summary = await unpackArchive(folder, pieces, { disk, check });
    onStep('unpacked');
    if (!outside) {
      checkDatabase(join(folder.restoringDir, unpackedDatabase.sqlite), source);
      gatherIntoOneFile(folder);
    }
    await suspendSweeps(folder, suspension(source, nowMs), nowMs);
    const asideDir = nameAsideDir(folder, nowMs);
    const postgres = outside ? { loading: null } : null;
    const secrets = secretPaths.filter((path) => existsSync(join(folder.restoringDir, path)));
    const paths = [...(outside ? [] : sqlitePaths), ...filePaths, ...secrets];
    const marker = await beginSwap(folder, { source, paths, asideDir, postgres, nowMs });
    onStep('marker written');
    const replacedDir = await finishOrUndo(folder, marker, { database: outside, onStep });
    return { ...summary, replacedDir, hasKey: existsSync(folder.installationKeyPath) };
  } catch (error) {
    // Once the marker is there, what is in the folder is needed.
    if (!existsSync(folder.restoreMarkerPath)) await removeRestoring(folder);
    throw error;
  } finally {
    lock.release();
  }
}

/** A database server that refuses leaves everything as it was. */
async function finishOrUndo(
  folder: DataFolder,
  marker: RestoreMarker,
  options: { readonly database: DatabaseRestore | null; readonly onStep: OnStep },
): Promise<string | null> {
  try {
    return await finishRestore(folder, marker, options);
  } catch (error) {
    // As it is by now: it says whether the database was changed.
    const current = await readRestoreMarker(folder);
    if (current !== null) await undoRestore(folder, current, options);
    throw error;
  }
}

async function checkHeader(
  header: ArchiveHeader,
  {
    folder,
    outside,
    mayReplaceOther,
  }: {
    readonly folder: DataFolder;
    readonly outside: OutsideDatabase | null;
    readonly mayReplaceOther: boolean;
  },
): Promise<void> {
  const wanted = outside ? 'postgres' : 'sqlite';
  if (header.database !== wanted) {
    throw new StorageError('access', `Nothing was restored: ${otherDatabase[header.database]}`);
  }
  if (header.migrations.length === 0) throw refuse('its database has no tables');
  refuseBefore(header.migrations, 'The archive');
  pendingSteps(
    shippedSteps,
    header.migrations,
    (unknown) =>
      `Nothing was restored: the archive was made by version ${header.lynceusVersion}, which is newer (it has the change ${unknown}). Install that version first.`,
  );
  const uid = header.installation?.['installation'];
  const of = { uid: typeof uid === 'string' ? uid : null, mayReplaceOther };
  const own = await readFolderIdentity(folder);
  refuseOtherInstallation(of, own?.installation ?? null, `the data folder ${folder.dir}`);
  await outside?.check(of);
}

const otherDatabase = {
  sqlite:
    'the archive has an SQLite database, and LYNCEUS_DATABASE_URL names one in PostgreSQL. Unset it to restore into SQLite.',
  postgres:
    'the archive has a PostgreSQL database. Set LYNCEUS_DATABASE_URL to the database that it is restored into.',
} as const;
