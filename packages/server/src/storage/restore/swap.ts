import { existsSync } from 'node:fs';
import { lstat, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DataFolder } from '../data-folder.js';
import { makeFolder, syncFolder } from '../durable-folder.js';
import { fileTime } from '../sqlite/migrate.js';
import { StorageError } from '../storage-error.js';
import { type RestoreMarker, writeRestoreMarker } from './restore-marker.js';

/** Called after each change on disk; the tests end the process there. */
export type OnStep = (step: string) => void;

interface SwapRequest {
  readonly source: string;
  /** What is replaced where it is there, and put in place where the restoring folder has it; below the data folder. */
  readonly paths: readonly string[];
  readonly asideDir: string;
  readonly postgres: RestoreMarker['postgres'];
  readonly nowMs: number;
}

/** A folder for what a restore replaces, which is not there yet; relative to the data folder. The caller holds that. */
export function nameAsideDir(folder: DataFolder, nowMs: number): string {
  for (let count = 1; ; count += 1) {
    const name = `replaced-${fileTime(nowMs)}${count === 1 ? '' : `-${count}`}`;
    if (!existsSync(join(folder.backupsDir, name))) return `backups/${name}`;
  }
}

/** From here on the restore is in progress: it is finished or undone, also after a crash. */
export async function beginSwap(folder: DataFolder, wanted: SwapRequest): Promise<RestoreMarker> {
  const { source, paths, asideDir, postgres, nowMs } = wanted;
  await refuseMounts(folder, paths);
  const entries = paths.map((path) => ({
    path,
    hasNew: existsSync(join(folder.restoringDir, path)),
    hadOld: existsSync(join(folder.dir, path)),
  }));
  const marker = { startedMs: nowMs, source, asideDir, postgres, entries };
  await writeRestoreMarker(folder, marker);
  return marker;
}

/**
 * Moves what is there aside and the new in its place. Each entry's state follows from where it lies, so that this can be
 * called again after a crash at any point.
 */
export async function finishSwap(folder: DataFolder, marker: RestoreMarker, onStep: OnStep): Promise<void> {
  const { at, entries, move } = movesOf(folder, marker, onStep);
  for (const { path, hasNew } of entries) {
    const { old, aside, fresh } = at(path);
    const isOld = !hasNew || existsSync(fresh);
    if (isOld && existsSync(old) && !existsSync(aside)) await move(old, aside);
  }
  await syncAll(folder, marker);
  for (const { path, hasNew } of entries) {
    const { old, fresh } = at(path);
    if (hasNew && existsSync(fresh)) await move(fresh, old);
  }
  await syncAll(folder, marker);
  for (const { path, hasNew } of entries) {
    if (!hasNew || existsSync(at(path).old)) continue;
    throw new StorageError(
      'damaged',
      `${at(path).old} is missing, and so is what was to be restored. Return to what was there before with: npm run -s lynceus -- restore --undo.`,
    );
  }
}

/** Puts back what was there before, from any point of `finishSwap` or of itself. */
export async function undoSwap(folder: DataFolder, marker: RestoreMarker, onStep: OnStep): Promise<void> {
  const { at, entries, move } = movesOf(folder, marker, onStep);
  for (const { path, hasNew, hadOld } of entries) {
    const { old, aside, fresh } = at(path);
    const isNew = hasNew && !existsSync(fresh) && (!hadOld || existsSync(aside));
    if (isNew && existsSync(old)) await move(old, fresh);
  }
  await syncAll(folder, marker);
  for (const { path } of entries) {
    const { old, aside } = at(path);
    if (existsSync(aside)) await move(aside, old);
  }
  await syncAll(folder, marker);
}

/** What unpacking left; the marker is gone by then, or was never written. */
export async function removeRestoring(folder: Pick<DataFolder, 'dir' | 'restoringDir'>): Promise<void> {
  if (!existsSync(folder.restoringDir)) return;
  await rm(folder.restoringDir, { recursive: true, force: true });
  await syncFolder(folder.dir);
}

function movesOf(folder: DataFolder, { asideDir, entries }: RestoreMarker, onStep: OnStep) {
  return {
    entries,
    at: (path: string) => ({
      old: join(folder.dir, path),
      aside: join(folder.dir, asideDir, path),
      fresh: join(folder.restoringDir, path),
    }),
    async move(from: string, to: string): Promise<void> {
      await makeFolder(dirname(to));
      await rename(from, to);
      onStep(`moved ${from}`);
    },
  };
}

/** The names, in every folder that may have lost or gained one. */
async function syncAll(folder: DataFolder, { asideDir, entries }: RestoreMarker): Promise<void> {
  const roots = [folder.dir, folder.restoringDir, join(folder.dir, asideDir)];
  const folders = new Set(roots.flatMap((root) => entries.map(({ path }) => dirname(join(root, path)))));
  for (const each of folders) if (existsSync(each)) await syncFolder(each);
}

/** A mounted folder cannot be renamed: reported before anything is changed. */
async function refuseMounts(folder: DataFolder, paths: readonly string[]): Promise<void> {
  const { dev } = await lstat(folder.dir);
  for (const path of paths) {
    const target = join(folder.dir, path);
    const found = await lstat(target).catch(() => undefined);
    if (found === undefined || found.dev === dev) continue;
    throw new StorageError(
      'access',
      `${target} is a mount of another file system and cannot be replaced. Nothing was restored: mount the whole data folder instead, or restore into an empty one.`,
    );
  }
}
