import { compareVersions } from './minimum-version.js';

/** Null of none. */
export function newestOf(versions: readonly string[]): string | null {
  return [...versions].sort(compareVersions).at(-1) ?? null;
}

/**
 * For a sentence about a database that a newer version has changed. What a version between releases changed has the number of the
 * release before, which tells nobody where to go.
 * @param newest that ran on a data folder of the database
 */
export function shownVersion(newest: string | null, own: string | undefined): string {
  return newest === null || own === undefined || compareVersions(newest, own) <= 0
    ? 'a newer version'
    : `version ${newest} of Lynceus, which is newer than this one`;
}
