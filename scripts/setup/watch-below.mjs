import { readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Editors write a file in several steps, and several files at once. */
const settleMs = 150;

/** Yields after files below these folders have changed, once for those that change together or before the next is asked for. */
export async function* changesBelow(folders, isSource) {
  let wake = () => {};
  let isChanged = false;
  const onChange = (path) => {
    if (!isSource(path)) return;
    isChanged = true;
    wake();
  };
  for (const folder of folders) watchBelow(folder, onChange);
  for (;;) {
    if (!isChanged) await new Promise((resolve) => (wake = resolve));
    await sleep(settleMs);
    isChanged = false;
    yield;
  }
}

/**
 * Calls `onChange` with the path of each file that changes in a folder or below it. Node's own recursive watch follows files and not
 * folders: it loses a file that an editor or git has replaced by renaming another.
 */
export function watchBelow(folder, onChange) {
  /** Ends the watch of a folder, by its path. */
  const ends = new Map();
  const begin = (from) => {
    for (const path of foldersBelow(from)) {
      ends.get(path)?.();
      const watcher = open(path);
      if (watcher === null) continue;
      const end = () => {
        if (ends.get(path) === end) ends.delete(path);
        watcher.close();
      };
      ends.set(path, end);
      watcher.on('error', end);
      watcher.on('change', (kind, name) => {
        if (!isFolder(path)) return end();
        if (name === null) return;
        const changed = join(path, name);
        if (!isFolder(changed)) return onChange(changed);
        // A folder that was removed and made again has the name of the one that is watched.
        if (isLeftOut(name) || (ends.has(changed) && kind !== 'rename')) return;
        begin(changed);
        // Those that were there before the watch began.
        for (const file of filesBelow(changed)) onChange(file);
      });
    }
  };
  begin(folder);
}

/** Null for a folder that is gone by now. */
function open(path) {
  try {
    return watch(path);
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** What is installed or built is left out. */
const isLeftOut = (name) => name === 'node_modules' || name === 'dist';

function foldersBelow(folder) {
  const inner = entriesIn(folder, (entry) => entry.isDirectory() && !isLeftOut(entry.name));
  return [folder, ...inner.flatMap(foldersBelow)];
}

function filesBelow(folder) {
  return foldersBelow(folder).flatMap((path) => entriesIn(path, (entry) => entry.isFile()));
}

/** None of a folder that is gone by now. */
function entriesIn(folder, isWanted) {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(isWanted)
      .map(({ name }) => join(folder, name));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
