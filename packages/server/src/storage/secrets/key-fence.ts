import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Database, WriteOptions, WriteResult } from '../database.js';
import { StorageError } from '../storage-error.js';
import { areKeysGood, maySealWith } from './judge-keys.js';
import { readKeyState } from './key-check.js';
import { checksOf, type KeyRing } from './key-ring.js';

/** The first statement of a unit: undoes it, as `not-null`, unless this holds; whoever changes the keys waits for its end. */
export function holdKeys({ query }: Pick<Database, 'query'>, isGood: RawBuilder<boolean>): Compilable {
  return query
    .updateTable('installation_key')
    .set({ check_value: sql<string>`case when ${isGood} then check_value end` })
    .where('id', '=', 1);
}

/**
 * The same database for units that write what is sealed: undone, as `wrong-key`, where the key was replaced meanwhile and nobody
 * would look for what the one before sealed.
 */
export function sealingDatabase(database: Database, keys: KeyRing): Database {
  return fenced(database, maySealWith(checksOf(keys)[0]));
}

/** Undone, as `wrong-key`, where a service with these keys does not fit the database any more. */
export function withKeysHeld(database: Database, keys: KeyRing): Database {
  return fenced(database, areKeysGood(checksOf(keys)));
}

function fenced(database: Database, isGood: RawBuilder<boolean>): Database {
  const { query } = database;
  const isStillGood = () =>
    query.selectFrom('installation_key').select('id').where(isGood).executeTakeFirst();
  return {
    ...database,
    async write(statements: readonly Compilable[], options?: WriteOptions): Promise<readonly WriteResult[]> {
      const [, ...results] = await database
        .write([holdKeys(database, isGood), ...statements], options)
        .catch(async (error: unknown) => {
          const isNull = error instanceof StorageError && error.code === 'not-null';
          if (!isNull || (await readKeyState(database)) === null || (await isStillGood())) throw error;
          throw keysReplaced(error);
        });
      return results;
    },
  };
}

function keysReplaced(cause: unknown): StorageError {
  return new StorageError(
    'wrong-key',
    'The key of the installation was replaced while this service was cut off: restart it with the settings LYNCEUS_SECRET_KEY and LYNCEUS_ACCEPTED_SECRET_KEYS of the others.',
    { cause },
  );
}
