import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { type Page, type PageRequest, toPage } from '../../storage/page.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Role } from '../../storage/tables/users.js';
import type { Audit } from '../audit/audit.js';
import type { Actor, AuditEvent } from '../audit/audit-event.js';
import { creatorOf, mayManageUsers } from '../creator.js';
import { type KeysOfMember, listKeysOfMember, type MemberKey } from './keys-of-member.js';
import { type AccessReceipt, type KeyChoices, nothingTakenBack, takeBackAccess } from './member-access.js';
import { isFoundBy } from './user-search.js';

export type { AccessReceipt, KeyChoices, MemberKey };

/** A user of an account, as its owners see them. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly isAdministrator: boolean;
  readonly hasTotp: boolean;
  readonly createdAt: number;
  /** Null: not yet. */
  readonly signedInAt: number | null;
}

/** The people of an account. One of another account is `not_found`, as one that there is not. */
export type Members = ReturnType<typeof createMembers>;

const rankOf: Readonly<Record<Role, number>> = { reader: 0, member: 1, owner: 2 };

export const memberColumns = [
  'web_user.id',
  'web_user.email',
  'web_user.name',
  'web_user.role',
  'web_user.is_administrator as isAdministrator',
  'web_user.sealed_totp as sealedTotp',
  'web_user.created_at as createdAt',
  'web_user.signed_in_at as signedInAt',
] as const;

export function toMember<
  Row extends Omit<Member, 'isAdministrator' | 'hasTotp'> & {
    readonly isAdministrator: number;
    readonly sealedTotp: string | null;
  },
>({ sealedTotp, isAdministrator, ...row }: Row) {
  return { ...row, isAdministrator: isAdministrator === 1, hasTotp: sealedTotp !== null };
}

export function createMembers({
  database,
  clock,
  audit,
  onKeyRevoked,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  /** Called for each key that was revoked. */
  readonly onKeyRevoked: (keyId: number) => void;
}) {
  const { query } = database;
  const read = async (accountId: number, id: number): Promise<Member> => {
    const row = await query
      .selectFrom('web_user')
      .select(memberColumns)
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (!row) throw new ServiceError('not_found', 'nobody of this account has this id');
    return toMember(row);
  };
  /** NULL, which the column refuses and so the unit, where this person is the last owner. */
  const unlessLastOwner = (role: Role | null): RawBuilder<Role> => sql<Role>`case
    when role <> 'owner' or exists (
      select 1 from web_user as other
      where other.account_id = web_user.account_id and other.role = 'owner' and other.id <> web_user.id
    ) then ${role === null ? sql.ref('role') : sql`cast(${role} as text)`} end`;
  const unlessLastAdministrator = sql<number>`case
    when is_administrator = 0 or exists (
      select 1 from web_user as other where other.is_administrator = 1 and other.id <> web_user.id
    ) then is_administrator end`;
  /** NULL likewise, where another user changed meanwhile what was decided by: whether this takes rights away. */
  const ifStill = (
    { role, isAdministrator }: Pick<Member, 'role' | 'isAdministrator'>,
    then: RawBuilder<Role>,
  ): RawBuilder<Role> => sql<Role>`case
    when role = ${role} and is_administrator = ${isAdministrator ? 1 : 0} then ${then} end`;
  const explain = (accountId: number, actor: Actor) => async (error: unknown) => {
    if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
    const owner = await query
      .selectFrom('account')
      .select('id')
      .where('id', '=', accountId)
      .where(mayManageUsers(creatorOf(actor), accountId))
      .executeTakeFirst();
    if (!owner) {
      throw new ServiceError('not_allowed', 'you are no owner of this account any more', { cause: error });
    }
    throw new ServiceError(
      'conflict',
      'this is the last owner of the account, or the last administrator: give another user that role first',
      { cause: error },
    );
  };

  const notifyRevoked = (receipt: AccessReceipt): AccessReceipt => {
    const { keys, dropKeys, unknownKeys } = receipt;
    for (const { revoked } of [keys, dropKeys, unknownKeys]) {
      for (const { id } of revoked) onKeyRevoked(id);
    }
    return receipt;
  };

  return {
    /** In the order of their coming; `search` is a part of the name or mail address. A position is an id. */
    async list(
      accountId: number,
      { search }: { readonly search?: string | undefined },
      { limit, after }: PageRequest<number>,
    ): Promise<Page<Member, number>> {
      let rows = query.selectFrom('web_user').select(memberColumns).where('account_id', '=', accountId);
      if (search !== undefined) rows = rows.where(isFoundBy(search));
      if (after !== undefined) rows = rows.where('id', '>', after);
      const found = await rows
        .orderBy('id')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toMember), limit, ({ id }) => id);
    },

    /** What they created that is not revoked, and what nobody known did. */
    async keys(accountId: number, id: number): Promise<KeysOfMember> {
      await read(accountId, id);
      return listKeysOfMember(database, accountId, id);
    },

    /**
     * A lesser role takes back the ways in that they created, as removal does; invitations where the new role may make none. Throws
     * `conflict` where nobody would be owner any more.
     */
    async changeRole(
      accountId: number,
      actor: Actor,
      id: number,
      role: Role,
      choices: KeyChoices,
    ): Promise<{ readonly member: Member; readonly receipt: AccessReceipt }> {
      const before = await read(accountId, id);
      if (before.role === role) return { member: before, receipt: nothingTakenBack };
      const isLess = rankOf[role] < rankOf[before.role];
      const access = isLess
        ? takeBackAccess(database, {
            accountId,
            userId: id,
            choices,
            actor,
            because: 'members.change',
            nowMs: clock(),
            // Nobody but owners and administrators lets others in.
            withdrawsLinks: !before.isAdministrator,
          })
        : null;
      const change = query
        .updateTable('web_user')
        .set({
          role: ifStill(before, role === 'owner' ? sql<Role>`cast(${role} as text)` : unlessLastOwner(role)),
        })
        .where('id', '=', id)
        .where('account_id', '=', accountId);
      const auditEvent: AuditEvent = {
        action: 'members.change',
        subject: { kind: 'user', id, name: before.email },
        details: { role, before: before.role, ...(isLess ? detailsOf(choices) : {}) },
      };
      // Before the change, for it may be the actor's own role.
      const entry = audit.entry(accountId, actor, auditEvent, {
        onlyIf: mayManageUsers(creatorOf(actor), accountId),
      });
      // In turn, so that two owners do not each leave the other as the last, and no key is created in between.
      const [, , ...results] = await database
        .write([entry, change, ...(access?.statements ?? [])], { isSerialized: true })
        .catch(async (error: unknown) => {
          if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
          const now = await read(accountId, id);
          if (now.role === before.role && now.isAdministrator === before.isAdministrator) throw error;
          throw new ServiceError('conflict', 'the rights of this person were changed meanwhile: try again', {
            cause: error,
          });
        })
        .catch(explain(accountId, actor));
      return {
        member: await read(accountId, id),
        receipt: access ? notifyRevoked(access.receipt(results)) : nothingTakenBack,
      };
    },

    /**
     * Their sessions end with them, their open invitations and links are withdrawn, and their keys are revoked or kept, all at one moment.
     * Throws `conflict` for the last owner, and for the last administrator of the installation; `not_allowed`, as changing a role does,
     * for who is no owner any more when it is done.
     */
    async remove(accountId: number, actor: Actor, id: number, choices: KeyChoices): Promise<AccessReceipt> {
      const { email } = await read(accountId, id);
      const memberRow = query.selectFrom('web_user').where('id', '=', id).where('account_id', '=', accountId);
      const access = takeBackAccess(database, {
        accountId,
        userId: id,
        choices,
        actor,
        because: 'members.remove',
        nowMs: clock(),
        withdrawsLinks: true,
      });
      const auditEvent: AuditEvent = {
        action: 'members.remove',
        subject: { kind: 'user', id, name: email },
        details: detailsOf(choices),
      };
      const before = [
        audit.entry(accountId, actor, auditEvent, { onlyIf: mayManageUsers(creatorOf(actor), accountId) }),
        query
          .updateTable('web_user')
          .set({ role: unlessLastOwner(null), is_administrator: unlessLastAdministrator })
          .where('id', '=', id)
          .where('account_id', '=', accountId),
        query
          .updateTable('api_key')
          .set({ revoked_at: clock() })
          .where('id', 'in', memberRow.select('key_id')),
        query.deleteFrom('web_user').where('id', '=', id).where('account_id', '=', accountId),
      ];
      const results = await database
        .write([...before, ...access.statements], { isSerialized: true })
        .catch(explain(accountId, actor));
      return notifyRevoked(access.receipt(results.slice(before.length)));
    },
  };
}

function detailsOf({ keys, dropKeys, unknownKeys }: KeyChoices) {
  return { keys, drop_keys: dropKeys, unknown_keys: unknownKeys };
}
