import { constants } from 'node:fs';
import { copyFile, link, lstat, mkdir, opendir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DataFolder } from '../../storage/data-folder.js';
import { ifMissing } from '../../storage/missing-file.js';

/** Files of a backup in the making: links to them, which stay when the service deletes its own. */
export type Staging = ReturnType<typeof createStaging>;

interface Located {
  readonly source: string;
  readonly sizeBytes: number;
}

interface Store {
  readonly path: string;
  /** Folders directly below that hold what is not finished. */
  readonly unfinished: readonly string[];
  /** How many folders deep files of ours lie. */
  readonly depth: number;
}

const stores: readonly Store[] = [
  ...['blobs/datasets', 'blobs/faces', 'blobs/imports', 'blobs/media', 'blobs/pictures'].map((path) => ({
    path,
    unfinished: ['writing'],
    depth: 1,
  })),
  { path: 'custom-models', unfinished: ['drafts'], depth: 5 },
  // Deeper down, keywords are being written.
  { path: 'drops', unfinished: [], depth: 1 },
];

/** Errors of a file system, or of two, that has no links for us: the files are then read where they are. */
const withoutLinks: readonly (string | undefined)[] = [
  'EXDEV',
  'EPERM',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EMLINK',
];

export function createStaging(folder: Pick<DataFolder, 'dir' | 'backupStagingDir'>) {
  const filesDir = join(folder.backupStagingDir, 'files');
  const copiesDir = join(folder.backupStagingDir, 'copies');

  const linkFile = async (path: string): Promise<boolean> => {
    const target = join(filesDir, path);
    try {
      await link(join(folder.dir, path), target);
    } catch (error) {
      const code = codeOf(error);
      if (withoutLinks.includes(code)) return false;
      // Linked before, or deleted just now.
      if (code !== 'EEXIST' && code !== 'ENOENT') throw error;
    }
    return true;
  };

  /** Answers whether links are possible. */
  const linkBelow = async (path: string, { depth, unfinished }: Omit<Store, 'path'>): Promise<boolean> => {
    const dir = await opendir(join(folder.dir, path)).catch(ifMissing(null));
    if (dir === null) return true;
    await mkdir(join(filesDir, path), { recursive: true, mode: 0o700 });
    for await (const entry of dir) {
      const inner = `${path}/${entry.name}`;
      if (entry.isFile()) {
        if (!(await linkFile(inner))) return false;
      } else if (entry.isDirectory() && depth > 0 && !unfinished.includes(entry.name)) {
        if (!(await linkBelow(inner, { depth: depth - 1, unfinished: [] }))) return false;
      }
    }
    return true;
  };

  const locate = async (path: string): Promise<Located | null> => {
    for (const source of [join(filesDir, path), join(folder.dir, path)]) {
      const found = await lstat(source).catch(ifMissing(null));
      if (found?.isFile()) return { source, sizeBytes: found.size };
    }
    return null;
  };

  return {
    filesDir,
    /** Where the bytes of a file are; null when they are nowhere. */
    locate,

    /** Links whatever is in the stores now. What was linked before stays. */
    async linkAll() {
      for (const { path, ...how } of stores) await linkBelow(path, how);
    },

    /** A copy of its own, which nobody goes on writing. */
    async copy(path: string): Promise<Located | null> {
      const found = await locate(path);
      if (found === null) return null;
      const source = join(copiesDir, path);
      await mkdir(dirname(source), { recursive: true, mode: 0o700 });
      const isThere = await copyFile(found.source, source, constants.COPYFILE_FICLONE).then(
        () => true,
        ifMissing(false),
      );
      return isThere ? { source, sizeBytes: (await lstat(source)).size } : null;
    },
  };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
