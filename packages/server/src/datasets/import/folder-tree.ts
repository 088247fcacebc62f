import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { FormatError } from '../formats/plan.js';
import { isPassedOver, maxFiles, type OpenTree } from './bounded-files.js';

/** The files under a folder; links are not followed. */
export async function openFolderTree(root: string): Promise<OpenTree> {
  const paths: string[] = [];
  const refused: { path: string; message: string }[] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (entry.isDirectory() || isPassedOver(path)) continue;
    if (entry.isFile()) paths.push(path);
    else refused.push({ path, message: 'it is a link or no file' });
    if (paths.length > maxFiles) throw new FormatError(`the folder has more than ${maxFiles} files`);
  }
  return {
    paths: paths.sort(),
    refused,
    read: async (path) => createReadStream(join(root, path)),
    close: async () => {},
  };
}
