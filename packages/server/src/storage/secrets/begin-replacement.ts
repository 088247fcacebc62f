import { sql } from 'kysely';
import type { Database } from '../database.js';
import { refuseUnless } from '../leases/fence.js';
import { StorageError } from '../storage-error.js';
import type { KeyState } from './key-check.js';
import type { RingChecks } from './key-ring.js';

type ReadAndWrite = Pick<Database, 'query' | 'write'>;

/** A service on the database, as it is named to an operator. */
interface RunningService {
  readonly uid: string;
  readonly host: string;
}

/**
 * Makes the sealing key of these that of the database, with the one of now as the key before. Throws `wrong-key` while a service
 * runs that does not open what it seals.
 * @param aliveSince services that were seen since then run
 */
export async function beginReplacement(
  database: ReadAndWrite,
  state: KeyState,
  [sealing]: RingChecks,
  aliveSince: number,
): Promise<void> {
  const { query } = database;
  const lacking = without(database, `%,${sealing},%`, aliveSince);
  const isDone = await writeUnlessRefused(database, [
    query
      .updateTable('installation_key')
      .set({ check_value: sealing, previous_check: state.current, is_resealing: 0 })
      .where('check_value', '=', state.current)
      .where('previous_check', 'is', null),
    refuseUnless(database, noneOf(database, lacking)),
  ]);
  if (isDone) return;
  const found = await lacking.execute();
  throw new StorageError(
    'wrong-key',
    `The sealing key of this service is new, and services on this database cannot open what it seals: ${nameServices(found)}. First restart each of them with its present key in LYNCEUS_SECRET_KEY and the new one in LYNCEUS_ACCEPTED_SECRET_KEYS; then make the new one LYNCEUS_SECRET_KEY, one service after the other. One that was killed counts for 20 seconds.`,
  );
}

/**
 * From now on nothing is sealed with another key than this one. Throws `locked` while a service seals with another.
 */
export async function beginResealing(
  database: ReadAndWrite,
  { current, previous }: KeyState,
  [sealing]: RingChecks,
  aliveSince: number,
): Promise<void> {
  const { query } = database;
  const sealsOther = without(database, `,${sealing},%`, aliveSince);
  const isDone = await writeUnlessRefused(database, [
    query
      .updateTable('installation_key')
      // Back to the key before, where the services are started with that one again.
      .set({
        check_value: sealing,
        previous_check: sealing === current ? previous : current,
        is_resealing: 1,
      })
      .where('check_value', '=', current)
      .where('previous_check', '=', previous),
    refuseUnless(database, noneOf(database, sealsOther)),
  ]);
  if (isDone) return;
  throw new StorageError(
    'locked',
    `Nothing was changed: services on this database seal with another key still: ${nameServices(await sealsOther.execute())}. Restart them with the key of this command as LYNCEUS_SECRET_KEY first. One that was killed counts for 20 seconds, on SQLite for 3 minutes.`,
  );
}

/** Services that run without such a list of check values. A service of an older version says nothing of its keys. */
function without({ query }: ReadAndWrite, pattern: string, aliveSince: number) {
  return query
    .selectFrom('replica')
    .select(['uid', 'host'])
    .where('seen_at', '>', aliveSince)
    .where(({ or, eb }) =>
      or([eb('key_checks', 'is', null), eb(sql<string>`',' || key_checks || ','`, 'not like', pattern)]),
    );
}

function noneOf({ query }: ReadAndWrite, services: ReturnType<typeof without>) {
  return query
    .selectFrom('installation_key')
    .select('id')
    .where(({ not, exists }) => not(exists(services)));
}

/** False where `refuseUnless` undid the unit. */
async function writeUnlessRefused(
  database: ReadAndWrite,
  unit: Parameters<Database['write']>[0],
): Promise<boolean> {
  try {
    await database.write(unit);
    return true;
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not-null') return false;
    throw error;
  }
}

function nameServices(services: readonly RunningService[]): string {
  return services.map(({ uid, host }) => `${uid} on ${host}`).join(', ') || 'none by now, so try again';
}
