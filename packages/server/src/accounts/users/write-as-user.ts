import { type Compilable, type RawBuilder, sql } from 'kysely';
import { ServiceError } from '../../core/service-error.js';
import type { Database, WriteResult } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { AuthenticatedUser } from './authenticated-user.js';

/** What was found good before the unit, and must be in force in it; absent: it does not matter. */
export interface CheckedBefore {
  /** Of the password that was given. */
  readonly passwordHash?: string;
  /** The second factor of which a code was given; null: there was none. */
  readonly sealedTotp?: string | null;
}

/**
 * Writes what a signed-in user changes of themselves, only while their session lasts and what was checked is as it was: a change that
 * was started before the password was reset must not win over that. Throws `not_signed_in` or `conflict`, and nothing was written.
 */
export async function writeAsUser(
  database: Database,
  authenticated: Pick<AuthenticatedUser, 'user' | 'sessionId'>,
  checked: CheckedBefore,
  statements: readonly Compilable[],
): Promise<readonly WriteResult[]> {
  const [locked, , ...results] = await database
    .write([lockUser(database, authenticated), checkUser(database, authenticated, checked), ...statements])
    .catch((error: unknown) => throwChanged(database, authenticated, error));
  if (locked?.changes !== 1) throw sessionIsOver();
  return results;
}

/** The first statement: on PostgreSQL it waits for whoever changes this user, and holds up who comes later. */
function lockUser({ query }: Pick<Database, 'query'>, { user }: Pick<AuthenticatedUser, 'user'>): Compilable {
  return query
    .updateTable('web_user')
    .set({ password_hash: sql<string>`password_hash` })
    .where('id', '=', user.id);
}

/** A statement of its own, for it sees all that was done before the lock was there: a session that was ended too. */
function checkUser(
  { query }: Pick<Database, 'query'>,
  { user, sessionId }: Pick<AuthenticatedUser, 'user' | 'sessionId'>,
  { passwordHash, sealedTotp }: CheckedBefore,
): Compilable {
  const conditions: RawBuilder<boolean>[] = [
    sql<boolean>`exists (select 1 from web_session where id = ${sessionId} and user_id = ${user.id})`,
  ];
  if (passwordHash !== undefined) conditions.push(sql`password_hash = ${passwordHash}`);
  if (sealedTotp !== undefined) conditions.push(sql`coalesce(sealed_totp, '') = ${sealedTotp ?? ''}`);
  return (
    query
      .updateTable('web_user')
      // NULL, which the column refuses, undoes the unit.
      .set({
        password_hash: sql<string>`case when ${sql.join(conditions, sql` and `)} then password_hash end`,
      })
      .where('id', '=', user.id)
  );
}

async function throwChanged(
  { query }: Pick<Database, 'query'>,
  { user, sessionId }: Pick<AuthenticatedUser, 'user' | 'sessionId'>,
  error: unknown,
): Promise<never> {
  if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
  const session = await query
    .selectFrom('web_session')
    .select('id')
    .where('id', '=', sessionId)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  if (!session) throw sessionIsOver(error);
  throw new ServiceError('conflict', 'the password or the second factor was changed meanwhile: try again', {
    cause: error,
  });
}

function sessionIsOver(cause?: unknown): ServiceError {
  return new ServiceError('not_signed_in', 'the session has ended: nothing was changed', {
    ...(cause === undefined ? {} : { cause }),
  });
}
