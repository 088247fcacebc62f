import { type Kysely, sql } from 'kysely';
import { StorageError } from '../storage-error.js';

/**
 * For a migration: the oldest version of the program that works with the schema that it leaves. One that only adds names the version
 * before, which may then be started again during a rolling upgrade; one that removes what older versions use names the first that
 * does not. It is never lowered.
 * @param version Such as `1.4.0`.
 */
export async function setMinimumVersion(db: Kysely<unknown>, version: string): Promise<void> {
  const { rows } = await sql<{ version: string }>`select version from minimum_version`.execute(db);
  const known = rows[0]?.version;
  if (known !== undefined && compareVersions(known, version) >= 0) return;
  await sql`delete from minimum_version`.execute(db);
  // `only` is a word of SQL.
  await sql`insert into minimum_version ("only", version) values (1, ${version})`.execute(db);
}

/**
 * Throws `newer` where the database asks for a newer version than this.
 * @param minimum Of the database; null: it names none.
 * @param shown What the database is called in words.
 */
export function requireVersion(minimum: string | null, own: string, shown: string): void {
  if (minimum === null || compareVersions(own, minimum) >= 0) return;
  throw new StorageError(
    'newer',
    `${shown} needs version ${minimum} of Lynceus or newer, and this is ${own}. Start a newer version; nothing was changed.`,
  );
}

/** By their numbers: below 0 where the first is older. What follows a hyphen does not count. */
export function compareVersions(first: string, second: string): number {
  const [a, b] = [first, second].map((version) => (version.split('-')[0] ?? '').split('.').map(Number));
  for (let index = 0; index < 3; index += 1) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
