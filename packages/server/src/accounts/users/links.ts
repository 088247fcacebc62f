import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { LinkKind, Role } from '../../storage/tables/users.js';
import { type Creator, creatorColumns } from '../creator.js';
import { hashToken, isToken, makeToken } from './sessions/token.js';

/** A link as whoever holds its token sees it. */
export interface FoundLink {
  readonly id: number;
  readonly kind: LinkKind;
  readonly accountId: number | null;
  readonly account: string | null;
  readonly userId: number | null;
  readonly email: string | null;
  readonly role: Role | null;
  /** Of whom another password is set, where they have a second factor. */
  readonly sealedTotp: string | null;
  readonly createdAt: number;
  /** Null: until it is used. */
  readonly expiresAt: number | null;
}

interface NewLink {
  readonly kind: LinkKind;
  readonly accountId?: number;
  readonly userId?: number;
  readonly email?: string;
  readonly role?: Role;
  readonly expiresAt: number | null;
  readonly creator: Creator;
  /** As SQL: where it does not hold at the moment of the unit, that fails as `not-null`. */
  readonly onlyIf?: RawBuilder<boolean>;
}

/** Addresses that sign a user in once: what is stored of a token opens nothing. */
export type Links = ReturnType<typeof createLinks>;

/** For the failure of a unit with a link that is made `onlyIf`. */
export function rethrowNotAllowed(error: unknown): never {
  if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
  throw new ServiceError('not_allowed', 'you may let nobody in any more: your role was changed', {
    cause: error,
  });
}

export function noSuchLink(cause?: unknown): ServiceError {
  return new ServiceError(
    'no_such_link',
    'this link is unknown, used or expired; ask for a new one',
    cause === undefined ? {} : { cause },
  );
}

export function createLinks({
  database: { query },
  clock,
}: {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
}) {
  return {
    /** For a unit, answering the link's id; the token is the caller's alone. */
    make({ kind, accountId, userId, email, role, expiresAt, creator, onlyIf }: NewLink): {
      readonly token: string;
      readonly statement: Compilable;
    } {
      const token = makeToken();
      const hash = hashToken(token);
      const insert = query.insertInto('web_link').values({
        hash: onlyIf ? sql<string>`case when ${onlyIf} then cast(${hash} as text) end` : hash,
        kind,
        account_id: accountId ?? null,
        user_id: userId ?? null,
        email: email ?? null,
        role: role ?? null,
        created_at: clock(),
        expires_at: expiresAt,
        ...creatorColumns(creator),
      });
      return { token, statement: insert.returning('id') };
    },

    /** Throws `no_such_link`, alike for one that is unknown, used or expired. */
    async find(token: string): Promise<FoundLink> {
      if (!isToken(token)) throw noSuchLink();
      const link = await query
        .selectFrom('web_link')
        .leftJoin('web_user', 'web_user.id', 'web_link.user_id')
        .leftJoin('account', (join) =>
          join.on('account.id', '=', sql<number>`coalesce(web_link.account_id, web_user.account_id)`),
        )
        .select([
          'web_link.id',
          'web_link.kind',
          'account.id as accountId',
          'account.name as account',
          'web_link.user_id as userId',
          sql<string | null>`coalesce(web_link.email, web_user.email)`.as('email'),
          'web_link.role',
          'web_user.sealed_totp as sealedTotp',
          'web_link.created_at as createdAt',
          'web_link.expires_at as expiresAt',
        ])
        .where('web_link.hash', '=', hashToken(token))
        .where('web_link.used_at', 'is', null)
        // A first link has no account yet.
        .where('account.closed_at', 'is', null)
        .executeTakeFirst();
      if (!link || (link.expiresAt !== null && link.expiresAt <= clock())) throw noSuchLink();
      return link;
    },

    /**
     * For the unit that uses it, first: the unit fails as `not-null` when the link was used meanwhile, so that of two who use it
     * at once one is let in.
     */
    claim: ({ id }: Pick<FoundLink, 'id'>): Compilable =>
      query
        .updateTable('web_link')
        .set({ used_at: clock(), hash: sql<string>`case when used_at is null then hash end` })
        .where('id', '=', id),
  };
}
