import { sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { type Page, type PageRequest, toPage } from '../../storage/page.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Role } from '../../storage/tables/users.js';
import type { Audit } from '../audit/audit.js';
import type { Actor } from '../audit/audit-event.js';
import { creatorOf, mayLetIn } from '../creator.js';
import { checkEmail } from './email.js';
import { type Links, rethrowNotAllowed } from './links.js';

const lifeMs = 7 * 86_400_000;
/** Of one account, open at once: more than anybody sends by hand, and a bound on what an account stores. */
const maxOpen = 200;

export interface Invitation {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Links into an account for people who are not in it yet. */
export type Invitations = ReturnType<typeof createInvitations>;

export function createInvitations({
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
  const open = (accountId: number) =>
    query
      .selectFrom('web_link')
      .where('kind', '=', 'invitation')
      .where('account_id', '=', accountId)
      .where('used_at', 'is', null)
      .where('expires_at', '>', clock());
  const countOpen = (accountId: number) =>
    open(accountId).select((row) => row.fn.countAll<number>().as('count'));
  const columns = ['id', 'email', 'role', 'created_at as createdAt', 'expires_at as expiresAt'] as const;

  return {
    /** Those that are neither used nor expired, the newest first; a position is an id. */
    async list(accountId: number, { limit, after }: PageRequest<number>): Promise<Page<Invitation, number>> {
      let rows = open(accountId);
      if (after !== undefined) rows = rows.where('id', '<', after);
      const found = await rows
        .select(columns)
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toInvitation), limit, ({ id }) => id);
    },

    /**
     * The token is in the answer and nowhere else. A new invitation of an address takes the place of its old one. Throws `not_allowed` for
     * who may invite nobody any more.
     */
    async make(
      accountId: number,
      actor: Actor,
      { email, role }: { readonly email: string; readonly role: Role },
    ): Promise<Invitation & { readonly token: string }> {
      const { text } = checkEmail(email);
      const account = await query
        .selectFrom('account')
        .select('name')
        .where('id', '=', accountId)
        .executeTakeFirst();
      if (!account) throw new ServiceError('not_found', 'there is no account of this id');
      const createdAt = clock();
      const creator = creatorOf(actor);
      const expiresAt = createdAt + lifeMs;
      const { token, statement } = links.make({
        kind: 'invitation',
        accountId,
        email: text,
        role,
        expiresAt,
        creator,
        // Counted within the unit: of many at once none is one too many.
        onlyIf: sql<boolean>`(${mayLetIn(creator, accountId)} and (${countOpen(accountId)}) < ${maxOpen})`,
      });
      const [, made] = await database
        .write(
          [
            query
              .deleteFrom('web_link')
              .where('kind', '=', 'invitation')
              .where('account_id', '=', accountId)
              .where('email', '=', text)
              .where('used_at', 'is', null),
            statement,
            audit.entry(accountId, actor, {
              action: 'invitations.create',
              subject: { kind: 'invitation', id: null, name: text },
              details: { role },
            }),
          ],
          // In turn, so that who is removed at the same moment leaves none behind.
          { isSerialized: true },
        )
        .catch(async (error: unknown) => {
          const isFull = (await countOpen(accountId).executeTakeFirstOrThrow()).count >= maxOpen;
          if (!isFull || !(error instanceof StorageError && error.code === 'not-null')) throw error;
          throw new ServiceError('conflict', `${maxOpen} invitations are open; withdraw some first`);
        })
        .catch(rethrowNotAllowed);
      const id = Number(made?.rows[0]?.['id']);
      return { id, email: text, role, createdAt, expiresAt, token };
    },

    /** Throws `not_found`, and `not_allowed` for who may invite nobody any more. */
    async withdraw(accountId: number, actor: Actor, id: number) {
      const found = await open(accountId).select('email').where('id', '=', id).executeTakeFirst();
      if (!found) throw new ServiceError('not_found', 'no open invitation of this account has this id');
      const subject = { kind: 'invitation', id, name: found.email };
      const onlyIf = mayLetIn(creatorOf(actor), accountId);
      await database
        .write([
          query.deleteFrom('web_link').where('id', '=', id).where('used_at', 'is', null),
          audit.entry(accountId, actor, { action: 'invitations.withdraw', subject }, { onlyIf }),
        ])
        .catch(rethrowNotAllowed);
    },
  };
}

function toInvitation(row: {
  readonly id: number;
  readonly email: string | null;
  readonly role: Role | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}): Invitation {
  const { email, role, expiresAt } = row;
  return { ...row, email: email ?? '', role: role ?? 'reader', expiresAt: expiresAt ?? 0 };
}
