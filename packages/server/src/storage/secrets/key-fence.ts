import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Database } from '../database.js';
import { fencedDatabase, refuseUnless } from '../leases/fence.js';
import { StorageError } from '../storage-error.js';
import { areKeysGood } from './judge-keys.js';
import { readKeyState } from './key-check.js';
import { checksOf, type KeyRing } from './key-ring.js';

/**
 * The first statements of a unit: undo it, as `not-null`, unless this holds; whoever changes the keys waits for its end. On
 * PostgreSQL many such units hold the row at once, so that one that stands still holds up no other.
 */
function holdKeys(
  database: Pick<Database, 'query' | 'groupsCommits'>,
  isGood: RawBuilder<boolean>,
): readonly Compilable[] {
  const { query, groupsCommits } = database;
  const kept = query.selectFrom('installation_key').select('id').where('id', '=', 1);
  const bad = kept.where(sql<boolean>`case when ${isGood} then 0 else 1 end = 1`);
  const noneIsBad = query
    .selectNoFrom(sql<number>`1`.as('is_good'))
    .where(({ not, exists }) => not(exists(bad)));
  // Units of SQLite run one at a time.
  return [...(groupsCommits ? [] : [kept.forShare()]), refuseUnless(database, noneIsBad)];
}

/**
 * The same database for units that write what is sealed: undone, as `wrong-key`, where a service with these keys does not fit the
 * database any more. Nobody would look for what it seals, or it does not open what others sealed and would write less than was there.
 */
export function withKeysHeld(database: Database, keys: KeyRing): Database {
  const { query } = database;
  const isGood = areKeysGood(checksOf(keys));
  const isStillGood = () =>
    query.selectFrom('installation_key').select('id').where(isGood).executeTakeFirst();
  return fencedDatabase(
    database,
    () => holdKeys(database, isGood),
    async (error) =>
      (await readKeyState(database)) === null || (await isStillGood()) ? error : keysReplaced(error),
  );
}

function keysReplaced(cause: unknown): StorageError {
  return new StorageError(
    'wrong-key',
    'The key of the installation was replaced while this service was cut off: restart it with the settings LYNCEUS_SECRET_KEY and LYNCEUS_ACCEPTED_SECRET_KEYS of the others.',
    { cause },
  );
}
