import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteLeftovers } from './added/leftovers.js';
import { CatalogError } from './catalog-error.js';
import { type LockOptions, withFolderLock } from './folder-lock.js';
import type { Layout } from './layout.js';

export interface ModelsFolder {
  readonly layout: Layout;
}

/** A partial download that was not resumed for this long is deleted. */
const partialKeptMs = 7 * 24 * 3600 * 1000;

/**
 * Runs `work` with exclusive write access to the models folder, which is created when missing. What a process
 * that died left incomplete is removed first; partial downloads stay, to be resumed.
 */
export async function withWritableFolder<T>(
  { layout }: ModelsFolder,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    await mkdir(layout.scratch, { recursive: true });
    await mkdir(layout.entries, { recursive: true });
  } catch (error) {
    throw cannotWrite(layout, error);
  }
  try {
    return await withFolderLock(layout.lock, options, async () => {
      await sweep(layout);
      return work();
    });
  } catch (error) {
    if (isDenial(error)) throw cannotWrite(layout, error);
    throw error;
  }
}

async function sweep(layout: Layout): Promise<void> {
  await deleteLeftovers(layout);
  for (const name of await readdir(layout.scratch)) {
    const path = join(layout.scratch, name);
    if (name.endsWith('.part') && Date.now() - (await stat(path)).mtimeMs < partialKeptMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}

function isDenial(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(String(error.code))
  );
}

function cannotWrite(layout: Layout, error: unknown): CatalogError {
  const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
  const advice = reason === 'ENOSPC' ? 'Free disk space there' : 'Make it writable';
  return new CatalogError(
    `The models folder ${layout.root} cannot be written (${reason}). ${advice}, or name another by LYNCEUS_MODELS_DIR.`,
    undefined,
    { cause: error },
  );
}
