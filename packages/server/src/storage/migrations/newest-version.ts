import { compareVersions } from './minimum-version.js';

/** The migration that adds versions to the rows of data folders. */
export const folderVersionsStep = '0041-folder-versions';

/** Null of none. */
export function newestOf(versions: readonly string[]): string | null {
  return [...versions].sort(compareVersions).at(-1) ?? null;
}

/** For a sentence about a database that a newer version has changed. */
export function shownVersion(newest: string | null): string {
  return newest === null ? 'a newer version' : `version ${newest} of Lynceus, which is newer than this one`;
}
