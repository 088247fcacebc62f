import { isAbsolute, resolve } from 'node:path';

/** The value of the setting `dropFolders`. Throws an error naming the entry that is no absolute path. */
export function parseAllowedFolders(list: string): readonly string[] {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.map((entry) => {
    if (isAbsolute(entry)) return resolve(entry);
    throw new Error(`dropFolders: ${entry} is not an absolute path such as /srv/images`);
  });
}
