import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { kindOfFile, type Listed, maxListed } from './archive-format.js';
import { type NamedRows, namedFiles } from './named-files.js';
import type { Staging } from './stage-files.js';

/** A file that goes into the archive. */
export interface PlannedFile {
  /** Below the data folder. */
  readonly path: string;
  readonly source: string;
  readonly sizeBytes: number;
}

/** What an archive will hold. On disk, for there may be millions. */
export interface Plan {
  readonly files: number;
  readonly fileBytes: number;
  /** Files that the snapshot names and that are not there. */
  readonly missing: ReadonlySet<string>;
  /** Shorter than their row says: their transfer was restarted since. */
  readonly changed: ReadonlySet<string>;
  read(): AsyncIterable<PlannedFile>;
}

/** @param besides files that no row names */
export async function planArchive(
  staging: Staging,
  {
    rows,
    planPath,
    besides,
  }: { readonly rows: NamedRows; readonly planPath: string; readonly besides: readonly string[] },
): Promise<Plan> {
  const [missing, changed] = [new Set<string>(), new Set<string>()];
  let [files, fileBytes] = [0, 0];
  const out = await open(planPath, 'wx', 0o600);
  let lines: string[] = [];
  const flush = async (): Promise<void> => {
    await out.writeFile(lines.join(''));
    lines = [];
  };
  const add = async (path: string, { source, sizeBytes }: { source: string; sizeBytes: number }) => {
    files += 1;
    fileBytes += sizeBytes;
    lines.push(`${JSON.stringify([path, source, sizeBytes])}\n`);
    if (lines.length >= 1000) await flush();
  };
  try {
    for await (const { path, isRequired, leastBytes, isChanging } of namedFiles(rows, staging.filesDir)) {
      // Nothing of ours, such as what a file manager left in a folder.
      if (kindOfFile(path) === null) continue;
      const found = await (isChanging ? staging.copy(path) : staging.locate(path));
      if (found === null) {
        if (isRequired) missing.add(path);
        continue;
      }
      if (found.sizeBytes < leastBytes) changed.add(path);
      await add(path, found);
    }
    for (const path of [...besides].sort()) {
      const found = await staging.copy(path);
      if (found) await add(path, found);
    }
    await flush();
  } finally {
    await out.close();
  }
  return { files, fileBytes, missing, changed, read: () => readPlan(planPath) };
}

async function* readPlan(planPath: string): AsyncIterable<PlannedFile> {
  for await (const line of createInterface({ input: createReadStream(planPath) })) {
    const [path, source, sizeBytes]: unknown[] = JSON.parse(line);
    yield { path: String(path), source: String(source), sizeBytes: Number(sizeBytes) };
  }
}

/** Of the missing files, those that the database names no more: they were deleted since the snapshot. */
export async function deletedSince(
  missing: ReadonlySet<string>,
  rows: NamedRows,
  filesDir: string,
): Promise<ReadonlySet<string>> {
  const deleted = new Set(missing);
  if (missing.size === 0) return deleted;
  for await (const { path } of namedFiles(rows, filesDir)) deleted.delete(path);
  return deleted;
}

export function listed(paths: ReadonlySet<string>): Listed {
  return { count: paths.size, paths: [...paths].sort().slice(0, maxListed) };
}

/** Files that no row names, below the data folder. */
export const identityFile = 'installation.json';
export const secretFiles: readonly string[] = [
  'first-key',
  join('ftp', 'certificate.pem'),
  join('ftp', 'key.pem'),
  join('sftp', 'host-keys.json'),
  'secret-key',
  // Of a rotation that was cut: the database may be sealed with this one already.
  'secret-key.next',
];
