import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readTar, TarError } from './read-tar.js';
import { type TarMember, writeTar } from './write-tar.js';

/** A folder as one plain tar file: the same bytes for the same files, whenever and wherever they were written. */
interface FolderTar {
  readonly sizeBytes: number;
  readonly content: AsyncIterable<Uint8Array>;
}

const blockBytes = 512;
/** As in the name of a member: a tar file has no room for more without extensions. */
const maxNameLength = 100;
const segment = '[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}';
const namePattern = new RegExp(`^${segment}(/${segment}){0,3}$`);

interface FolderLimits {
  readonly maxFiles: number;
  /** Whether the files are on disk when it resolves. */
  readonly isDurable: boolean;
}

/** Null where there is no such folder, or no file in it. Throws for a file whose name no tar file of ours may have. */
export async function tarOfFolder(dir: string): Promise<FolderTar | null> {
  const files: { readonly name: string; readonly sizeBytes: number }[] = [];
  let sizeBytes = 2 * blockBytes;
  for (const name of (await filesBelow(dir)).sort()) {
    if (!isAllowed(name))
      throw new Error(
        `${dir} has a file ${JSON.stringify(name)} that does not belong there: move it elsewhere.`,
      );
    const { size } = await stat(join(dir, name));
    files.push({ name, sizeBytes: size });
    sizeBytes += blockBytes + Math.ceil(size / blockBytes) * blockBytes;
  }
  if (files.length === 0) return null;
  const members = async function* (): AsyncIterable<TarMember> {
    for (const file of files) yield { ...file, content: createReadStream(join(dir, file.name)) };
  };
  return { sizeBytes, content: writeTar(members()) };
}

/**
 * Writes the files of a tar file into a folder that is not there yet. Nothing but ordinary files, below it, each under a name
 * that no other has; together they have no more bytes than the tar file. Throws `TarError` for any other; the caller removes
 * what was written then.
 */
export async function unpackFolder(
  content: AsyncIterable<Uint8Array>,
  dir: string,
  { maxFiles, isDurable }: FolderLimits,
): Promise<void> {
  await mkdir(dir, { mode: 0o700 });
  const made = new Set([dir]);
  let files = 0;
  for await (const member of readTar(content)) {
    const { name } = member;
    const shown = JSON.stringify(name.slice(0, 200));
    if (!isAllowed(name)) throw new TarError(`its member ${shown} has no name for a file of such a folder`);
    files += 1;
    if (files > maxFiles) throw new TarError(`it has more than ${maxFiles} files`);
    const path = join(dir, name);
    for (const folder of foldersBetween(dir, path)) {
      if (made.has(folder)) continue;
      await makeFolderOf(folder, shown);
      made.add(folder);
    }
    await writeMember(path, member.content, isDurable, shown);
  }
  if (!isDurable) return;
  for (const folder of [...made].reverse()) await syncPath(folder);
}

function isAllowed(name: string): boolean {
  return name.length <= maxNameLength && namePattern.test(name);
}

async function writeMember(
  path: string,
  content: AsyncIterable<Uint8Array>,
  isDurable: boolean,
  shown: string,
): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch(namedTwice(shown));
  try {
    for await (const piece of content) await file.writeFile(piece);
    if (isDurable) await file.sync();
  } finally {
    await file.close();
  }
}

async function makeFolderOf(folder: string, shown: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch(namedTwice(shown));
}

function namedTwice(shown: string): (error: unknown) => never {
  return (error) => {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw isTaken ? new TarError(`its member ${shown} has the name of another`, { cause: error }) : error;
  };
}

/** From the outermost to the one that has the file. */
function foldersBetween(dir: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== dir; folder = dirname(folder)) folders.unshift(folder);
  return folders;
}

/** Ordinary files alone: what a link names does not belong to the folder. */
async function filesBelow(dir: string, inner = ''): Promise<string[]> {
  const names: string[] = [];
  const entries = await readdir(join(dir, inner), { withFileTypes: true }).catch((error: unknown) => {
    if (inner === '' && error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    const name = inner === '' ? entry.name : `${inner}/${entry.name}`;
    if (entry.isDirectory()) names.push(...(await filesBelow(dir, name)));
    else if (entry.isFile()) names.push(name);
  }
  return names;
}

async function syncPath(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
