import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type FileTree, isPassedOver, TreeError, type TreeFile } from './file-tree.js';

/**
 * Opens a folder. A link is followed to a file below the same folder, and nowhere else. Throws `TreeError` for a folder that
 * cannot be read, or has more files than `maxFiles`.
 */
export async function openFolderTree(dir: string, maxFiles: number): Promise<FileTree> {
  const root = await realpath(dir).catch((error: unknown) => {
    throw new TreeError(`the folder ${explain(error)}`, { cause: error });
  });
  return {
    async *files() {
      let files = 0;
      for await (const file of walk(root, [])) {
        files += 1;
        if (files > maxFiles) throw new TreeError(`the folder has more than ${maxFiles} files`);
        yield file;
      }
    },
    close() {},
  };
}

/** @param root without links in it */
async function* walk(root: string, folders: readonly string[]): AsyncGenerator<TreeFile, void, undefined> {
  let entries: Dirent[];
  try {
    entries = await readdir(join(root, ...folders), { withFileTypes: true });
  } catch (error) {
    if (folders.length === 0) throw new TreeError(`the folder ${explain(error)}`, { cause: error });
    yield refused(folders, `the folder ${explain(error)}`);
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const segments = [...folders, entry.name];
    if (isPassedOver(entry.name)) continue;
    if (entry.isDirectory()) yield* walk(root, segments);
    else yield await toFile(root, entry, segments);
  }
}

async function toFile(root: string, entry: Dirent, segments: readonly string[]): Promise<TreeFile> {
  const own = join(root, ...segments);
  if (entry.isFile()) return readable(segments, own);
  if (!entry.isSymbolicLink()) return refused(segments, 'it is neither a file nor a folder');
  const target = await realpath(own).catch(() => undefined);
  if (target === undefined) return refused(segments, 'it is a link that leads nowhere');
  if (!target.startsWith(root.endsWith(sep) ? root : root + sep)) {
    return refused(segments, 'it is a link that leads out of the folder');
  }
  const found = await stat(target).catch(() => undefined);
  if (!found?.isFile()) return refused(segments, 'it is a link to something else than a file');
  return readable(segments, target);
}

async function* readPieces(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // A link or a pipe that replaced the file since it was listed is neither followed nor waited for.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) throw new Error('is no file any more');
      yield* file.createReadStream({ autoClose: false });
    } finally {
      await file.close();
    }
  } catch (error) {
    throw new Error(`it ${explain(error)}`, { cause: error });
  }
}

function readable(segments: readonly string[], own: string): TreeFile {
  return { path: pathOf(segments), refusal: null, sizeBytes: null, read: () => readPieces(own) };
}

function refused(segments: readonly string[], refusal: string): TreeFile {
  return {
    path: pathOf(segments),
    refusal,
    sizeBytes: null,
    read() {
      throw new Error(refusal);
    },
  };
}

function pathOf(segments: readonly string[]): string {
  return segments.join('/').normalize('NFC');
}

function explain(error: unknown): string {
  if (error instanceof Error && !('code' in error)) return error.message;
  return `cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'})`;
}
