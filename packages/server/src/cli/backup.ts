import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { type BackupOptions, createArchive } from '../operate/backup/create-archive.js';
import { writeNewFile } from '../operate/backup/new-file.js';
import { postgresPrograms } from '../operate/backup/postgres-programs.js';
import { postgresSource } from '../operate/backup/postgres-snapshot.js';
import { sqliteSource } from '../operate/backup/sqlite-snapshot.js';
import { backupDatabase } from '../storage/backup-database.js';
import { type DataFolder, dataFolder, prepareDataFolder } from '../storage/data-folder.js';
import { createDiskGuard } from '../storage/disk-guard.js';
import { requirePairForCommand } from '../storage/identity/look-at-pair.js';
import { addressOf, databaseLocation } from '../storage/open-storage.js';
import { refuseDuringRestore } from '../storage/restore/restore-marker.js';
import { fileTime } from '../storage/sqlite/migrate.js';
import { type CommandContext, settingsOf } from './context.js';
import { describeArchive, describeLosses } from './describe-archive.js';

interface BackupCommandOptions {
  readonly withFiles?: true;
  readonly withSecrets?: boolean;
  readonly allowMissing?: boolean;
}

export function addBackupCommand(program: Command, context: CommandContext): void {
  program
    .command('backup')
    .description(
      'copy the database to a new file, also while the service runs; with --with-files, all that belongs to it',
    )
    .argument(
      '[file]',
      'where to; without it a new file in the folder backups of the data folder; - for the standard output, with --with-files',
    )
    .option('--with-files', 'one archive of the database, images, custom models and files of drops')
    .option(
      '--with-secrets',
      'also secret-key, first-key, the certificate of FTP and the host keys of SFTP: keep such an archive apart',
    )
    .option(
      '--allow-missing',
      'succeed although files that the database names are not here, as where several data folders share it',
    )
    .action(async (file: string | undefined, options: BackupCommandOptions) => {
      if (options.withFiles) return backUpAll(context, file, options);
      if (options.allowMissing) throw new Error('--allow-missing goes with --with-files.');
      if (options.withSecrets) throw new Error('--with-secrets goes with --with-files.');
      if (file === '-') throw new Error('Only a backup --with-files can go to the standard output.');
      const target = file === undefined ? null : resolve(context.cwd, file);
      context.print(backupDatabase(sqliteFolder(context, 'pg_dump --format=custom'), target, Date.now()));
    });
}

async function backUpAll(
  context: CommandContext,
  file: string | undefined,
  { withSecrets = false, allowMissing = false }: BackupCommandOptions,
): Promise<void> {
  const { settings } = settingsOf(context);
  const folder = dataFolder(settings.dataDir);
  await refuseDuringRestore(folder);
  // An archive of a folder and a stranger's database would be found out when it is needed.
  await requirePairForCommand(folder, databaseLocation(folder, settings), { usesFiles: true });
  const address = addressOf(settings);
  const source = address
    ? postgresSource(address, postgresPrograms(address, context.env))
    : sqliteSource(folder);
  prepareDataFolder(folder);
  const disk = createDiskGuard({ dir: folder.dir, reserveBytes: settings.diskReserveBytes });
  // The copy of the database, which is removed when it is in the archive.
  await disk.require(address ? 0 : databaseBytes(folder));
  const nowMs = Date.now();
  const path = file === undefined ? join(folder.backupsDir, `lynceus-${fileTime(nowMs)}.tar`) : file;
  const isPiped = path === '-';
  const target = resolve(context.cwd, path);
  const writeFile: BackupOptions['write'] = async (pieces, leastBytes) => {
    const takesOfReserve = isOnSameDisk(dirname(target), folder.dir);
    if (takesOfReserve) await disk.require(leastBytes);
    await writeNewFile(target, takesOfReserve ? disk.guard(pieces) : pieces, leastBytes);
  };
  const write: BackupOptions['write'] = isPiped
    ? (pieces) => pipeline(pieces, context.stdout ?? process.stdout, { end: false })
    : writeFile;
  const summary = await createArchive(folder, { source, withSecrets, nowMs, write });
  if (!isPiped) context.print(target);
  for (const line of describeArchive(summary)) context.note(line);
  for (const line of describeLosses(summary)) context.note(line);
  if (summary.end.missing.count === 0 || allowMissing) return;
  if (settings.blobs !== '')
    context.note(`Images are in ${settings.blobs}, and not in the archive: back the bucket up by itself.`);
  context.note(
    'The archive is written but incomplete, so the exit code is 1. Where they are in the data folders of other services on this database, back up those too; --allow-missing then says that they may be missing here.',
  );
  process.exitCode = 1;
}

function databaseBytes({ databasePath }: DataFolder): number {
  const sizes = ['', '-wal'].map(
    (suffix) => statSync(databasePath + suffix, { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function isOnSameDisk(dir: string, other: string): boolean {
  return statSync(dir, { throwIfNoEntry: false })?.dev === statSync(other).dev;
}

/** The data folder, whose database these commands are for. PostgreSQL has tools of its own for it. */
export function sqliteFolder(context: CommandContext, tool: string): DataFolder {
  const { settings } = settingsOf(context);
  if (settings.databaseUrl !== '') {
    throw new Error(
      `The database is in PostgreSQL (LYNCEUS_DATABASE_URL): add --with-files, or use its own tool: ${tool}`,
    );
  }
  return dataFolder(settings.dataDir);
}
