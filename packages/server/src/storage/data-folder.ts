import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StorageError } from './storage-error.js';

/** Where everything lies that one service keeps. All paths are absolute. */
export interface DataFolder {
  readonly dir: string;
  readonly databasePath: string;
  /** Held open and locked by the one service that runs on this folder. */
  readonly lockPath: string;
  /** Backups made by us, and databases that a restore replaced. */
  readonly backupsDir: string;
  /** Images kept beside analyses. */
  readonly imagesDir: string;
  /** Images of people's faces. */
  readonly facesDir: string;
  /** Images of datasets. */
  readonly datasetsDir: string;
  /** Small copies of all those, that can be made again. */
  readonly thumbnailsDir: string;
  /** Zips that are being imported. */
  readonly importsDir: string;
  /** Snapshots and clips of streams, and videos. */
  readonly mediaDir: string;
  /** Versions of customers' models, a folder each. */
  readonly customModelsDir: string;
  /** Files of objects of a bucket, that can be brought again. */
  readonly blobCacheDir: string;
  /** Folders of versions in a bucket, that can be brought again. */
  readonly modelCacheDir: string;
  /** Features of datasets' images, kept from training to training. */
  readonly featuresDir: string;
  /** Files of drops. */
  readonly dropsDir: string;
  /** With which secrets in the database are sealed; mode 0600. */
  readonly installationKeyPath: string;
  /** Which installation, and which of its folders, this is. */
  readonly identityPath: string;
  /** What no row names any more, kept for a while. */
  readonly quarantineDir: string;
  /** There while sweeps are suspended. */
  readonly sweepSuspensionPath: string;
  /** There while a restore is in progress. */
  readonly restoreMarkerPath: string;
  /** What a restore puts in place, until it is all there. */
  readonly restoringDir: string;
  /** Links to the files of a backup in the making. */
  readonly backupStagingDir: string;
  /** Held open and locked by a backup with files, and by a restore. */
  readonly backupLockPath: string;
  readonly spoolDir: string;
  /** The first account's key until it is read away; mode 0600. */
  readonly firstKeyPath: string;
}

/** Where blobs of a store lie that is in no bucket. */
export function blobsDir(
  folder: DataFolder,
  store: 'images' | 'faces' | 'datasets' | 'imports' | 'media',
): string {
  return folder[`${store}Dir`];
}

export function dataFolder(dir: string): DataFolder {
  const root = resolve(dir);
  return {
    dir: root,
    databasePath: join(root, 'lynceus.db'),
    lockPath: join(root, 'lock.db'),
    backupsDir: join(root, 'backups'),
    imagesDir: join(root, 'blobs', 'pictures'),
    facesDir: join(root, 'blobs', 'faces'),
    datasetsDir: join(root, 'blobs', 'datasets'),
    thumbnailsDir: join(root, 'thumbnails'),
    importsDir: join(root, 'blobs', 'imports'),
    mediaDir: join(root, 'blobs', 'media'),
    customModelsDir: join(root, 'custom-models'),
    blobCacheDir: join(root, 'blob-cache'),
    modelCacheDir: join(root, 'model-cache'),
    featuresDir: join(root, 'features'),
    dropsDir: join(root, 'drops'),
    installationKeyPath: join(root, 'secret-key'),
    identityPath: join(root, 'installation.json'),
    quarantineDir: join(root, 'quarantine'),
    sweepSuspensionPath: join(root, 'sweeps-suspended.json'),
    restoreMarkerPath: join(root, 'restore-in-progress.json'),
    restoringDir: join(root, 'restoring'),
    backupStagingDir: join(root, 'backup-staging'),
    backupLockPath: join(root, 'backup-lock.db'),
    spoolDir: join(root, 'spool'),
    firstKeyPath: join(root, 'first-key'),
  };
}

/** Makes the folder for its owner alone, and finds out now rather than at the first write whether it can be used. */
export function prepareDataFolder(folder: DataFolder): void {
  try {
    mkdirSync(folder.dir, { recursive: true, mode: 0o700 });
    const { mode, uid } = statSync(folder.dir);
    // A folder of another user keeps its mode: a mounted volume often belongs to root.
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(folder.dir, 0o700);
    accessSync(folder.dir, constants.R_OK | constants.W_OK | constants.X_OK);
    mkdirSync(folder.backupsDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(
      'access',
      `The data folder ${folder.dir} cannot be used (${reason}). Make it writable for this user, or set LYNCEUS_DATA_DIR.`,
      { cause: error },
    );
  }
}
