import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { dataFolder } from '#server/storage/data-folder.js';

/** Files that cannot be restored after a deletion, by their paths in the data folder. */
export async function keptFiles(dataDir: string): Promise<readonly string[]> {
  const { facesDir, datasetsDir, imagesDir, customModelsDir, dropsDir, mediaDir } = dataFolder(dataDir);
  const found = await Promise.all(
    [facesDir, datasetsDir, imagesDir, customModelsDir, dropsDir, mediaDir].map(filesIn),
  );
  return found
    .flat()
    .map((path) => relative(dataDir, path))
    .sort();
}

/** Those at the top of the data folder: the database, keys, ids. */
export async function topNames(dataDir: string): Promise<readonly string[]> {
  const names = await readdir(dataDir).catch(() => []);
  // Of SQLite, while a file is looked at.
  return names.filter((name) => !/-(wal|shm)$/.test(name)).sort();
}

/** A face that no row names, as a killed service leaves one; answers its path. */
export async function plantOrphan(dataDir: string): Promise<string> {
  const id = randomUUID();
  const path = join(dataFolder(dataDir).facesDir, id.slice(0, 2), id);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'no row names it');
  return relative(dataDir, path);
}

async function filesIn(dir: string): Promise<readonly string[]> {
  const found = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
