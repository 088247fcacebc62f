import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { otherInstallationFlag } from '../operate/backup/other-installation.js';
import { postgresPrograms } from '../operate/backup/postgres-programs.js';
import { postgresDatabase } from '../operate/backup/postgres-restore.js';
import { type OutsideDatabase, restoreArchive } from '../operate/backup/restore-archive.js';
import { type DataFolder, dataFolder } from '../storage/data-folder.js';
import { createDiskGuard } from '../storage/disk-guard.js';
import { othersStoppedFlag } from '../storage/identity/other-services.js';
import { addressOf } from '../storage/open-storage.js';
import { finishRestore, undoRestore } from '../storage/restore/end-restore.js';
import { type RestoreMarker, readRestoreMarker } from '../storage/restore/restore-marker.js';
import { lockForRestore, restoreDatabase } from '../storage/restore.js';
import { sqliteFolder } from './backup.js';
import { type CommandContext, folderOf, settingsOf } from './context.js';
import { describeArchive, describeLosses } from './describe-archive.js';
import { recogniseBackup } from './recognise-backup.js';
import { openArchive } from './verify.js';

interface RestoreCommandOptions {
  readonly withFiles?: true;
  readonly finish?: true;
  readonly undo?: true;
  readonly otherInstallation?: true;
  readonly othersStopped?: true;
}

export function addRestoreCommand(program: Command, context: CommandContext): void {
  program
    .command('restore')
    .description('restore a backup; the service must be stopped')
    .argument(
      '[file]',
      'a file that backup, or an upgrade, made; - for the standard input, with --with-files',
    )
    .option('--with-files', 'the backup on the standard input is an archive of backup --with-files')
    .option('--finish', 'finish a restore that was interrupted')
    .option('--undo', 'undo a restore that was interrupted')
    .option(otherInstallationFlag, 'even if the archive is of another installation than what it replaces')
    .option(
      othersStoppedFlag,
      'although the database saw the service of another folder run less than three hours ago',
    )
    .action(async (file: string | undefined, options: RestoreCommandOptions) => {
      const { finish, undo } = options;
      if ([file, finish, undo].filter((each) => each !== undefined).length !== 1) {
        throw new Error('Name the backup to restore, or give --finish or --undo alone.');
      }
      if (file === undefined) return endInterrupted(context, options);
      const source = file === '-' ? 'the standard input' : resolve(context.cwd, file);
      if (file === '-' && !options.withFiles) {
        throw new Error('Only an archive can come from the standard input: give --with-files.');
      }
      const isThere = file === '-' || existsSync(source);
      const kind = file === '-' ? 'archive' : isThere ? await recogniseBackup(source) : null;
      if (kind === 'database' && options.withFiles) {
        throw new Error(`${source} is a database without files: leave out --with-files.`);
      }
      if (kind !== 'archive' && !options.withFiles) {
        sqliteFolder(context, 'pg_restore --clean --if-exists, while no service runs');
      }
      if (!isThere) throw new Error(`There is no file ${source}.`);
      await undoInterrupted(context);
      if (kind === 'archive') return restoreAll(context, { file, source }, options);
      const { replacedPath, warning } = await restoreDatabase(folderOf(context), source, Date.now());
      context.print(`Restored ${source}.`);
      if (warning !== null) context.note(warning);
      if (replacedPath) context.print(`The previous database is now ${replacedPath}.`);
      context.note('Sweeps are suspended for 24 hours.');
    });
}

async function restoreAll(
  context: CommandContext,
  { file, source }: { readonly file: string; readonly source: string },
  options: RestoreCommandOptions,
): Promise<void> {
  const { settings } = settingsOf(context);
  const folder = dataFolder(settings.dataDir);
  const restored = await restoreArchive(folder, openArchive(context, file), {
    source,
    outside: outsideDatabase(context, folder, options),
    nowMs: Date.now(),
    mayReplaceOther: options.otherInstallation ?? false,
    disk: createDiskGuard({ dir: folder.dir, reserveBytes: settings.diskReserveBytes }),
  });
  context.print(`Restored ${source}.`);
  for (const line of [...describeArchive(restored), ...describeLosses(restored)]) context.note(line);
  if (restored.replacedDir) context.print(`The previous files are now in ${restored.replacedDir}.`);
  if (!restored.hasKey) {
    context.note(
      `There is no secret-key in ${folder.dir}: copy the one of this installation there before the start, or passwords of destinations and second factors cannot be read.`,
    );
  }
  context.note('Sweeps are suspended for 24 hours.');
}

async function undoInterrupted(context: CommandContext): Promise<void> {
  const folder = dataFolder(settingsOf(context).settings.dataDir);
  const marker = await readRestoreMarker(folder);
  if (marker === null) return;
  if (marker.postgres !== null) {
    throw new Error(
      `The restore of ${marker.source} was interrupted. Finish it with --finish or undo it with --undo first: since then, other services may have changed the PostgreSQL database.`,
    );
  }
  await end(context, folder, marker, { undo: true });
  context.note(`The interrupted restore of ${marker.source} was undone first.`);
}

async function endInterrupted(context: CommandContext, options: RestoreCommandOptions): Promise<void> {
  const folder = dataFolder(settingsOf(context).settings.dataDir);
  const marker = await readRestoreMarker(folder);
  if (marker === null) throw new Error(`No restore into ${folder.dir} was interrupted.`);
  const replacedDir = await end(context, folder, marker, options);
  context.print(
    options.finish ? `Restored ${marker.source}.` : `The restore of ${marker.source} was undone.`,
  );
  if (replacedDir) context.print(`The previous files are now in ${replacedDir}.`);
  if (marker.postgres === null) return;
  context.note(
    `Dumps of the PostgreSQL database as it was before each change are kept in ${folder.backupsDir}: delete them when you no longer need them.`,
  );
}

async function end(
  context: CommandContext,
  folder: DataFolder,
  marker: RestoreMarker,
  options: RestoreCommandOptions,
): Promise<string | null> {
  const database = marker.postgres === null ? null : outsideDatabase(context, folder, options);
  if (marker.postgres !== null && database === null) {
    throw new Error('This was a restore of a PostgreSQL database: set LYNCEUS_DATABASE_URL as it was then.');
  }
  const lock = await lockForRestore(folder);
  try {
    if (options.finish) return await finishRestore(folder, marker, { database });
    await undoRestore(folder, marker, { database });
    return null;
  } finally {
    lock.release();
  }
}

/** Null: SQLite in the data folder. */
function outsideDatabase(
  context: CommandContext,
  folder: DataFolder,
  { othersStopped }: RestoreCommandOptions,
): OutsideDatabase | null {
  const address = addressOf(settingsOf(context).settings);
  const programs = address && postgresPrograms(address, context.env);
  return (
    address &&
    programs &&
    postgresDatabase(folder, address, programs, { areOthersStopped: othersStopped === true })
  );
}
