import { readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Calls `onChange` with the path of each file that changes in a folder or below it. Node's own recursive watch follows files and not
 * folders: it loses a file that an editor or git has replaced by renaming another.
 */
export function watchBelow(folder, onChange) {
  for (const path of foldersBelow(folder)) {
    const watcher = watch(path, (_, name) => {
      if (name === null) return;
      const changed = join(path, name);
      if (!isFolder(changed)) return onChange(changed);
      if (watched.has(changed)) return;
      watchBelow(changed, onChange);
      // Those that were there before the watch began.
      for (const file of filesBelow(changed)) onChange(file);
    });
    const end = () => {
      watched.delete(path);
      watcher.close();
    };
    watched.add(path);
    watcher.on('error', end);
    watcher.on('change', () => {
      if (!isFolder(path)) end();
    });
  }
}

const watched = new Set();

function isFolder(path) {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function foldersBelow(folder) {
  return [folder, ...entriesBelow(folder, (entry) => entry.isDirectory())];
}

function filesBelow(folder) {
  return entriesBelow(folder, (entry) => entry.isFile());
}

function entriesBelow(folder, isWanted) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(isWanted)
    .map((entry) => join(entry.parentPath, entry.name));
}
