import { type FSWatcher, watch } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPassedOver } from '../storage/archive/file-tree.js';
import { createDueNames } from './due-names.js';
import { isForAll } from './tag-folder.js';
import type { Folder } from './walk-folders.js';

type Names = Pick<Folder, 'path' | 'names'>;

interface WatchOptions {
  /** A folder and those below it with all their files, as they are now. */
  readonly walk: (path: string) => AsyncIterable<Names>;
  /** Answers the names that are to be looked at once more, after `settleMs`. */
  readonly onFolder: (folder: Names) => Promise<readonly string[]>;
  /** It could not be looked at, or not to its end; that is tried again at the next look at all. */
  readonly onUnreadable: (path: string, error: unknown) => void;
  /** Of this folder the system reports nothing: new files are seen at the next look at all. */
  readonly onNoReports: (path: string, error: unknown) => void;
  readonly isRecursive: boolean;
  readonly settleMs: number;
  /** Between two looks at all files: of network shares the system reports nothing. */
  readonly lookEveryMs: number;
  readonly signal: AbortSignal;
}

/** How often it is asked whether something is due. */
const tickMs = 200;
/** Looks at everything take at most this share of the time. */
const maxLookShare = 0.1;

/**
 * Looks at folders until the signal: at all files first, then at those that the system reports, and every so often at all. There is
 * one watch for each folder: the recursive ones of Node.js and of chokidar take one for each file on Linux, where a user has a
 * limited number of them.
 */
export async function watchFolders(root: string, options: WatchOptions): Promise<void> {
  const { walk, onFolder, settleMs, lookEveryMs, signal } = options;
  const watched = new Map<string, FSWatcher>();
  const due = createDueNames();

  const follow = (path: string) => {
    if (watched.has(path)) return;
    try {
      const watcher = watch(path, (_event, name) => {
        if (name !== null && !isPassedOver(name)) due.add(path, name, Date.now());
      });
      watcher.on('error', (error) => options.onNoReports(path, error));
      watched.set(path, watcher);
    } catch (error) {
      options.onNoReports(path, error);
    }
  };
  const visit = async (folder: Names) => {
    for (const name of await onFolder(folder)) due.add(folder.path, name, Date.now() + settleMs);
  };
  /** Answers the folders that there are. */
  const look = async (path: string): Promise<ReadonlySet<string>> => {
    const seen = new Set<string>();
    for await (const folder of walk(path)) {
      if (signal.aborted) break;
      seen.add(folder.path);
      // Before its files are looked at: what comes meanwhile is reported.
      follow(folder.path);
      await visit(folder);
    }
    return seen;
  };
  /** Of a folder with those below it: a new one of the same name needs new watches. */
  const forget = (path: string) => {
    for (const [each, watcher] of watched) {
      if (each !== path && !each.startsWith(path + sep)) continue;
      watcher.close();
      watched.delete(each);
    }
  };
  /** What fails here, as a folder that is gone again does, ends nothing: it is tried again. */
  const lookAgain = async (path: string): Promise<ReadonlySet<string> | null> => {
    try {
      return await look(path);
    } catch (error) {
      if (isForAll(error)) throw error;
      forget(path);
      options.onUnreadable(path, error);
      return null;
    }
  };
  const forgetAllBut = (seen: ReadonlySet<string>) => {
    for (const path of [...watched.keys()]) if (!seen.has(path)) forget(path);
  };

  try {
    let nextLookMs = 0;
    let isFirst = true;
    while (!signal.aborted) {
      if (Date.now() >= nextLookMs) {
        const startMs = Date.now();
        // A folder that was never there is a mistake of the caller.
        const seen = await (isFirst ? look(root) : lookAgain(root));
        isFirst = false;
        if (!signal.aborted && seen) forgetAllBut(seen);
        nextLookMs = Date.now() + Math.max(lookEveryMs, (Date.now() - startMs) / maxLookShare);
      }
      for (const [path, names] of due.take(Date.now())) {
        const { files, folders, gone } = await sortNames(path, names);
        for (const each of gone) forget(each);
        if (files.length > 0) await visit({ path, names: files });
        for (const folder of options.isRecursive ? folders : []) await lookAgain(folder);
      }
      await sleep(tickMs, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    forgetAllBut(new Set());
  }
}

async function sortNames(path: string, names: readonly string[]) {
  const files: string[] = [];
  const folders: string[] = [];
  const gone: string[] = [];
  for (const name of names) {
    const own = join(path, name);
    const found = await lstat(own).catch(() => null);
    if (found?.isFile()) files.push(name);
    else if (found?.isDirectory()) folders.push(own);
    else gone.push(own);
  }
  return { files, folders, gone };
}
