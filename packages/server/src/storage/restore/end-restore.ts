import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from '../data-folder.js';
import { ifMissing } from '../missing-file.js';
import { type RestoreMarker, removeRestoreMarker } from './restore-marker.js';
import { finishSwap, type OnStep, removeRestoring, undoSwap } from './swap.js';

/** What a restore does besides files; nothing on SQLite, whose database is one. */
export interface DatabaseRestore {
  /** Throws while another service works on the database. Asked before files move. */
  requireAlone(marker: RestoreMarker): Promise<void>;
  /** From the restoring folder. May be called again after a crash. */
  finish(marker: RestoreMarker, onStep: OnStep): Promise<void>;
  /** From the aside folder; nothing where the marker says that the database was not changed. */
  undo(marker: RestoreMarker, onStep: OnStep): Promise<void>;
}

interface EndOptions {
  readonly database: DatabaseRestore | null;
  readonly onStep?: OnStep;
}

/** Answers where what was there is now; null when nothing was there. The caller holds the folder. */
export async function finishRestore(
  folder: DataFolder,
  marker: RestoreMarker,
  { database, onStep = () => {} }: EndOptions,
): Promise<string | null> {
  await database?.requireAlone(marker);
  await finishSwap(folder, marker, onStep);
  await database?.finish(marker, onStep);
  onStep('database restored');
  await removeRestoreMarker(folder);
  onStep('marker removed');
  await removeRestoring(folder);
  const asideDir = join(folder.dir, marker.asideDir);
  return existsSync(asideDir) ? asideDir : null;
}

/** The data folder is then as it was before the restore. The caller holds the folder. */
export async function undoRestore(
  folder: DataFolder,
  marker: RestoreMarker,
  { database, onStep = () => {} }: EndOptions,
): Promise<void> {
  if (marker.postgres?.loading) await database?.requireAlone(marker);
  await undoSwap(folder, marker, onStep);
  await database?.undo(marker, onStep);
  onStep('database restored');
  await removeRestoreMarker(folder);
  onStep('marker removed');
  await removeRestoring(folder);
  await removeAside(folder, marker);
}

/** What was in it is back in its place; a dump of the database stays. */
async function removeAside(folder: DataFolder, { asideDir, postgres }: RestoreMarker): Promise<void> {
  const dump = postgres?.loading?.replacedDump ?? null;
  const dir = join(folder.dir, asideDir);
  for (const name of await readdir(dir).catch(ifMissing([]))) {
    if (dump !== `${asideDir}/${name}`) await rm(join(dir, name), { recursive: true, force: true });
  }
  if (dump === null) await rm(dir, { recursive: true, force: true });
}
