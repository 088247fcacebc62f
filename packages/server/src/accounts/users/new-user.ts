import { randomUUID } from 'node:crypto';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Role } from '../../storage/tables/users.js';
import type { Email } from './email.js';
import { searchTextOf } from './user-search.js';

/** The name of page calls in the usage. */
const webKeyName = 'web account';

interface NewUser {
  readonly accountId: number | RawBuilder<number>;
  readonly email: Email;
  readonly name: string;
  readonly passwordHash: string;
  readonly role: Role;
  readonly isAdministrator: boolean;
  /** As SQL: NULL undoes the unit. */
  readonly createdAt: number | RawBuilder<number>;
}

/**
 * The statements that make a user, with the key that the calls of their pages count on; `id` stands for the user in the
 * statements after them. Their unit fails as `unique` where the address has a user: see `rethrowTaken`.
 */
export function makeUser(
  { query }: Pick<Database, 'query'>,
  user: NewUser,
): { readonly statements: readonly Compilable[]; readonly id: RawBuilder<number> } {
  // No text has this for its hash.
  const hash = `web:${randomUUID()}`;
  const { accountId, createdAt } = user;
  return {
    id: sql<number>`(select id from web_user where email_key = ${user.email.key})`,
    statements: [
      query.insertInto('api_key').values({
        account_id: accountId,
        hash,
        prefix: '',
        name: webKeyName,
        created_at: createdAt,
        expires_at: null,
        revoked_at: null,
        is_web: 1,
      }),
      query.insertInto('web_user').values({
        account_id: accountId,
        key_id: sql<number>`(select id from api_key where hash = ${hash})`,
        email: user.email.text,
        email_key: user.email.key,
        name: user.name,
        search_text: searchTextOf(user.name, user.email),
        password_hash: user.passwordHash,
        role: user.role,
        is_administrator: user.isAdministrator ? 1 : 0,
        created_at: createdAt,
        signed_in_at: createdAt,
      }),
    ],
  };
}

/** Throws `conflict` for a unit that met a user of the same address; else the error as it is. */
export function rethrowTaken(error: unknown): never {
  if (error instanceof StorageError && error.code === 'unique') {
    throw new ServiceError('conflict', 'a user with this mail address exists already', { cause: error });
  }
  throw error;
}
