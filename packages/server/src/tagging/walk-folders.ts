import { lstat, opendir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isPassedOver } from '../storage/archive/file-tree.js';
import { TagProblem } from './tag-problem.js';

/** A folder with the names of what may be an image in it. */
export interface Folder {
  /** Absolute. */
  readonly path: string;
  /** Of its files, in order; links are not among them. */
  readonly names: readonly string[];
  /** Links that are not followed. */
  readonly links: number;
  /** How many folders there are in it. */
  readonly folders: number;
}

interface WalkOptions {
  readonly isRecursive: boolean;
  /** A folder that is left out with all in it: its real path, absolute. With it, data folders of all services are. */
  readonly except?: string;
  /**
   * For a folder below the first that cannot be read, and a file or folder whose name is not UTF-8; the first folder's error is
   * thrown.
   */
  readonly onUnreadable: (path: string, error: unknown) => void;
}

/**
 * A folder, and on request those below it, one after the other: the names of one are in memory at a time. Hidden files and
 * folders are passed over, and links are not followed: a folder in itself would have no end.
 */
export async function* walkFolders(
  path: string,
  { isRecursive, except, onUnreadable }: WalkOptions,
): AsyncGenerator<Folder, void, undefined> {
  const waiting = [path];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (except !== undefined && (isWithin(next, except) || (await isDataFolder(next)))) continue;
    const listed = await list(next).catch((error: unknown) => {
      if (next === path) throw error;
      onUnreadable(next ?? path, error);
    });
    if (!listed) continue;
    const { names, folders, unnamed, links } = listed;
    for (const name of unnamed) {
      onUnreadable(join(next, name), new TagProblem('its name is not UTF-8: rename it'));
    }
    yield { path: next, names, links, folders: folders.length };
    const below = next;
    if (isRecursive) waiting.push(...folders.reverse().map((name) => join(below, name)));
  }
}

function isWithin(path: string, folder: string): boolean {
  return (path + sep).startsWith(folder + sep);
}

/** Of a service, also of one with other settings than this command has. */
async function isDataFolder(path: string): Promise<boolean> {
  const isThere = (name: string) =>
    lstat(join(path, name)).then(
      () => true,
      () => false,
    );
  if (!(await isThere('installation.json'))) return false;
  return (await isThere('lynceus.db')) || (await isThere('blobs'));
}

async function list(path: string) {
  const names: string[] = [];
  const folders: string[] = [];
  const unnamed: string[] = [];
  let links = 0;
  for await (const entry of await opendir(path, { bufferSize: 512, encoding: bytesAsName })) {
    const { name, isText } = readName(entry.name);
    if (isPassedOver(name)) continue;
    if (entry.isSymbolicLink()) links += 1;
    else if (!entry.isDirectory() && !entry.isFile()) continue;
    else if (!isText) unnamed.push(name);
    else if (entry.isDirectory()) folders.push(name);
    else names.push(name);
  }
  return { names: names.sort(), folders: folders.sort(), unnamed: unnamed.sort(), links };
}

/** One character for each byte: what is no UTF-8 would otherwise lose the bytes that make it a name. */
const bytesAsName = 'latin1';

function readName(bytes: string): { readonly name: string; readonly isText: boolean } {
  const raw = Buffer.from(bytes, bytesAsName);
  const name = raw.toString();
  return { name, isText: Buffer.from(name).equals(raw) };
}
