import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Audit } from '../audit/audit.js';
import type { Actor } from '../audit/audit-event.js';
import { byOperator, creatorOf, mayLetIn } from '../creator.js';
import { toEmail } from './email.js';
import { type Links, rethrowNotAllowed } from './links.js';

const resetLifeMs = 86_400_000;

interface MadeLink {
  /** Shown here and never again. */
  readonly token: string;
  /** Null: until it is used. */
  readonly expiresAt: number | null;
}

/** Links that the operator and administrators give away. */
export type MakeLinks = ReturnType<typeof createMakeLinks>;

export function createMakeLinks({
  database,
  clock,
  links,
  audit,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly links: Links;
  readonly audit: Audit;
}) {
  const { query } = database;
  return {
    /**
     * For the administrator of an installation that has none; it takes the place of the one before. Null where there is one.
     * @param isKept As SQL on a row of `web_link`: whether the one before stays, in the hands of another service that runs; then too the
     * answer is null.
     */
    async first(isKept: RawBuilder<boolean> = sql<boolean>`1 = 0`): Promise<MadeLink | null> {
      if (await hasAdministrator(database)) return null;
      const { token, statement } = links.make({
        kind: 'first',
        expiresAt: null,
        creator: byOperator,
        onlyIf: sql<boolean>`not exists (select 1 from web_link where kind = 'first')`,
      });
      try {
        await database.write(
          [
            query.deleteFrom('web_link').where('kind', '=', 'first').where(sql<boolean>`not ${isKept}`),
            statement,
          ],
          { isSerialized: true },
        );
      } catch (error) {
        if (error instanceof StorageError && error.code === 'not-null') return null;
        throw error;
      }
      return { token, expiresAt: null };
    },

    /** For a user who forgot their password. Throws `not_found`. */
    async reset(
      actor: Actor,
      wanted: { readonly id: number } | { readonly email: string },
    ): Promise<MadeLink> {
      const users = query.selectFrom('web_user').select(['id', 'email', 'account_id as accountId']);
      const user = await ('id' in wanted
        ? users.where('id', '=', wanted.id)
        : users.where('email_key', '=', toEmail(wanted.email)?.key ?? '')
      ).executeTakeFirst();
      if (!user) throw new ServiceError('not_found', 'nobody signs in by this');
      const expiresAt = clock() + resetLifeMs;
      const creator = creatorOf(actor);
      const { token, statement } = links.make({
        kind: 'reset',
        userId: user.id,
        expiresAt,
        creator,
        onlyIf: mayLetIn(creator, user.accountId),
      });
      await database
        .write(
          [
            query.deleteFrom('web_link').where('user_id', '=', user.id).where('used_at', 'is', null),
            statement,
            audit.entry(user.accountId, actor, {
              action: 'links.reset',
              subject: { kind: 'user', id: user.id, name: user.email },
            }),
          ],
          { isSerialized: true },
        )
        .catch(rethrowNotAllowed);
      return { token, expiresAt };
    },
  };
}

export async function hasAdministrator({ query }: Pick<Database, 'query'>): Promise<boolean> {
  const found = await query
    .selectFrom('web_user')
    .select(sql`1`.as('one'))
    .where('is_administrator', '=', 1)
    .executeTakeFirst();
  return found !== undefined;
}
