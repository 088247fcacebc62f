import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { readOwnVersion } from '../../service/installation/own-version.js';
import type { DataFolder } from '../../storage/data-folder.js';
import { lockForBackup } from '../../storage/folder-lock.js';
import { refuseDuringRestore } from '../../storage/restore/restore-marker.js';
import {
  type ArchiveEnd,
  type ArchiveHeader,
  type ArchiveSummary,
  archiveFormat,
  archiveVersion,
} from './archive-format.js';
import { deletedSince, identityFile, planArchive, secretFiles } from './plan-archive.js';
import type { SnapshotSource } from './snapshot.js';
import { createStaging } from './stage-files.js';
import { writeArchive } from './write-archive.js';

export interface BackupOptions {
  readonly source: SnapshotSource;
  readonly withSecrets: boolean;
  readonly nowMs: number;
  /** Takes the whole archive; what it holds at least is known by then. */
  readonly write: (pieces: AsyncIterable<Uint8Array>, leastBytes: number) => Promise<void>;
}

/**
 * Writes one archive of the database and of every file that it names, also while the service runs. Files are written before
 * the rows that name them and deleted after them, so the stores are linked before the snapshot and once more after it: the
 * links hold what the snapshot names, but for a file that both came and went between the two.
 */
export async function createArchive(folder: DataFolder, options: BackupOptions): Promise<ArchiveSummary> {
  const { source, withSecrets, nowMs, write } = options;
  await refuseDuringRestore(folder);
  const lock = lockForBackup(folder);
  const close: (() => Promise<void>)[] = [];
  try {
    await rm(folder.backupStagingDir, { recursive: true, force: true });
    await mkdir(folder.backupStagingDir, { recursive: true, mode: 0o700 });
    const staging = createStaging(folder);
    await staging.linkAll();
    const snapshot = await source.take();
    close.push(() => snapshot.close());
    await staging.linkAll();
    const plan = await planArchive(staging, {
      rows: snapshot.rows,
      planPath: join(folder.backupStagingDir, 'plan.jsonl'),
      besides: [identityFile, ...(withSecrets ? secretFiles : [])],
    });
    const header: ArchiveHeader = {
      format: archiveFormat,
      formatVersion: archiveVersion,
      createdMs: nowMs,
      lynceusVersion: readOwnVersion(),
      database: snapshot.kind,
      migrations: [...snapshot.migrations],
      installation: await readIdentity(folder),
      files: plan.files,
      fileBytes: plan.fileBytes,
      databaseBytes: snapshot.sizeBytes,
      hasSecrets: withSecrets,
    };
    const account = async (gone: ReadonlySet<string>) => {
      const lost = new Set([...plan.missing, ...gone]);
      const now = await source.now();
      try {
        const deleted = await deletedSince(lost, now.rows, staging.filesDir);
        const missing = new Set([...lost].filter((path) => !deleted.has(path)));
        return { missing, deletedMeanwhile: new Set([...deleted, ...plan.changed]) };
      } finally {
        await now.close();
      }
    };
    const ends: ArchiveEnd[] = [];
    const pieces = writeArchive({ header, snapshot, plan, account, onEnd: (end) => ends.push(end) });
    await write(pieces, plan.fileBytes + (snapshot.sizeBytes ?? 0));
    const [end] = ends;
    if (end === undefined) throw new Error('the archive was not written to its end');
    return { header, end };
  } finally {
    for (const each of close) await each();
    await rm(folder.backupStagingDir, { recursive: true, force: true });
    lock.release();
  }
}

const Identity = Type.Record(Type.String(), Type.Unknown());

/** As the data folder has it, for who looks at the archive. */
async function readIdentity({ identityPath }: Pick<DataFolder, 'identityPath'>) {
  const text = await readFile(identityPath, 'utf8').catch(() => null);
  try {
    const content: unknown = JSON.parse(text ?? 'null');
    return Value.Check(Identity, content) ? content : null;
  } catch {
    return null;
  }
}
