import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DataFolder } from '../data-folder.js';
import { type RestoreMarker, removeRestoreMarker } from './restore-marker.js';
import { finishSwap, type OnStep, removeRestoring, undoSwap } from './swap.js';

/** What a restore does besides files; nothing on SQLite, whose database is one. */
export interface DatabaseRestore {
  /** From the restoring folder. May be called again after a crash. */
  finish(marker: RestoreMarker): Promise<void>;
  /** From the aside folder. */
  undo(marker: RestoreMarker): Promise<void>;
}

export interface EndOptions {
  readonly database: DatabaseRestore | null;
  readonly onStep?: OnStep;
}

/** Answers where what was there is now; null when nothing was there. The caller holds the folder. */
export async function finishRestore(
  folder: DataFolder,
  marker: RestoreMarker,
  { database, onStep = () => {} }: EndOptions,
): Promise<string | null> {
  await finishSwap(folder, marker, onStep);
  await database?.finish(marker);
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
  await undoSwap(folder, marker, onStep);
  await database?.undo(marker);
  onStep('database restored');
  await removeRestoreMarker(folder);
  onStep('marker removed');
  await removeRestoring(folder);
  await rm(join(folder.dir, marker.asideDir), { recursive: true, force: true });
}
