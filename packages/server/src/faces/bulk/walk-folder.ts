import { constants, type Dirent } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ServiceError } from '../../core/service-error.js';
import { type FileContent, type ImageTree, isPassedOver, type ListedFile, maxFiles } from './image-tree.js';
import { readBounded, tooLarge } from './read-bounded.js';

/** The files below a folder. A link is followed to a file below the same folder, and nowhere else. */
export function openFolderTree(dir: string, maxImageBytes: number): ImageTree {
  return {
    async *list() {
      const root = await realpath(dir);
      let files = 0;
      for await (const file of walk({ root, maxImageBytes }, [])) {
        files += 1;
        if (files > maxFiles) throw new ServiceError('bad_request', `there are more than ${maxFiles} files`);
        yield file;
      }
    },
  };
}

interface Walk {
  /** Without links in it. */
  readonly root: string;
  readonly maxImageBytes: number;
}

async function* walk(within: Walk, folders: readonly string[]): AsyncGenerator<ListedFile> {
  const dir = join(within.root, ...folders);
  let entries: Dirent[];
  try {
    entries = await readdir(dir, { withFileTypes: true });
  } catch (error) {
    if (folders.length === 0) throw new ServiceError('bad_request', sayWhy(error), { cause: error });
    yield { path: pathOf(folders), refusal: `the folder ${sayWhy(error)}` };
    return;
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const segments = [...folders, entry.name];
    if (isPassedOver(segments)) continue;
    if (entry.isDirectory()) yield* walk(within, segments);
    else yield await listEntry(within, entry, segments);
  }
}

async function listEntry(
  { root, maxImageBytes }: Walk,
  entry: Dirent,
  segments: readonly string[],
): Promise<ListedFile> {
  const path = pathOf(segments);
  const own = join(root, ...segments);
  if (entry.isFile()) return { path, read: () => readFile(own, maxImageBytes) };
  if (!entry.isSymbolicLink()) return { path, refusal: 'it is neither a file nor a folder' };
  const target = await realpath(own).catch(() => undefined);
  if (target === undefined) return { path, refusal: 'it is a link that leads nowhere' };
  if (!target.startsWith(root.endsWith(sep) ? root : root + sep)) {
    return { path, refusal: 'it is a link that leads out of the folder' };
  }
  const found = await stat(target).catch(() => undefined);
  if (!found?.isFile()) return { path, refusal: 'it is a link to something else than a file' };
  return { path, read: () => readFile(target, maxImageBytes) };
}

async function readFile(path: string, maxBytes: number): Promise<FileContent> {
  try {
    // What has become a link or a pipe since it was listed is not waited for.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile()) return { problem: 'not-read', reason: 'it is no file any more' };
      if (found.size > maxBytes) return tooLarge(maxBytes);
      return await readBounded(file.createReadStream({ autoClose: false }), maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    return { problem: 'not-read', reason: `it ${sayWhy(error)}` };
  }
}

function pathOf(segments: readonly string[]): string {
  return segments.join('/').normalize('NFC');
}

function sayWhy(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unknown fault';
  return `cannot be read (${code})`;
}
