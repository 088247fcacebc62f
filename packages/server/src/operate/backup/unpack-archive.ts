import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DataFolder } from '../../storage/data-folder.js';
import type { DiskGuard } from '../../storage/disk-guard.js';
import { makeFolder, syncFolder } from '../../storage/durable-folder.js';
import { type ArchiveHeader, type ArchiveSummary, refuse } from './archive-format.js';
import { readArchive } from './read-archive.js';

/** What the database of an archive is called in the restoring folder. */
export const unpackedDatabase = { sqlite: 'lynceus.db', postgres: 'lynceus.dump' } as const;

/**
 * Unpacks an archive into the restoring folder and checks all of it. On disk when it resolves.
 * @param check throws for an archive that cannot be restored here, before anything is written
 */
export async function unpackArchive(
  { restoringDir }: Pick<DataFolder, 'restoringDir'>,
  pieces: AsyncIterable<Uint8Array>,
  {
    disk,
    check,
  }: {
    readonly disk: Pick<DiskGuard, 'require' | 'guard'>;
    readonly check: (header: ArchiveHeader) => Promise<void>;
  },
): Promise<ArchiveSummary> {
  let databasePath = '';
  await makeFolder(restoringDir);
  const made = new Set<string>();
  const makeParents = async (path: string): Promise<void> => {
    const parent = dirname(path);
    if (made.has(parent)) return;
    await mkdir(parent, { recursive: true, mode: 0o700 });
    made.add(parent);
  };
  const summary = await readArchive(disk.guard(pieces), {
    async begin(header) {
      await check(header);
      await disk.require(header.fileBytes + (header.databaseBytes ?? 0));
      databasePath = join(restoringDir, unpackedDatabase[header.database]);
    },
    async file(path, content) {
      const target = join(restoringDir, path);
      await makeParents(target);
      await write(target, 'wx', content);
    },
    database: (content) => write(databasePath, 'a', content),
  });
  await syncAll(restoringDir);
  return summary;
}

async function write(path: string, flags: 'wx' | 'a', content: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    // A file system that holds two names for one.
    if (error.code === 'EEXIST' || error.code === 'ENOTDIR') throw refuse(`${path} comes twice`, error);
    throw error;
  });
  try {
    for await (const piece of content) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}

/** Afterwards and not file by file: the system has written most of it by then. */
async function syncAll(dir: string): Promise<void> {
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      await syncAll(path);
      continue;
    }
    const file = await open(path, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  }
  await syncFolder(dir);
}
