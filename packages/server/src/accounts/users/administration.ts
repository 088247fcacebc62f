import { sql } from 'kysely';
import { ServiceError } from '../../core/service-error.js';
import { type Page, type PageRequest, toPage } from '../../storage/page.js';
import { StorageError } from '../../storage/storage-error.js';
import type { Audit } from '../audit/audit.js';
import { auditEntry } from '../audit/audit-entry.js';
import type { Actor, AuditEvent } from '../audit/audit-event.js';
import { type AccountChange, changeAccount } from '../change-account.js';
import { checkName } from '../check-fields.js';
import { creatorOf, mayAdminister } from '../creator.js';
import { type AccountDependencies, insertAccount, type NewAccount, type Plan } from '../new-account.js';
import { type Member, memberColumns, toMember } from './members.js';
import { isFoundBy } from './user-search.js';

/** An account as administrators see it. */
export interface AdministeredAccount {
  readonly id: number;
  readonly name: string;
  readonly plan: Plan;
  /** Null: no limit. */
  readonly callLimit: number | null;
  readonly callsUsed: number;
  readonly resultDays: number;
  readonly createdAt: number;
  /** Those that are not revoked. */
  readonly keys: number;
  readonly users: number;
  /** Null: it is open. */
  readonly deletionDueAt: number | null;
  readonly deletionBegunAt: number | null;
}

export interface AdministeredUser extends Member {
  readonly account: { readonly id: number; readonly name: string };
}

/** All accounts and all people of the installation, for its administrators. */
export type Administration = ReturnType<typeof createAdministration>;

export function createAdministration(deps: AccountDependencies & { readonly audit: Audit }) {
  const { database, audit } = deps;
  const { query } = database;
  const accounts = () =>
    query
      .selectFrom('account')
      .leftJoin('account_deletion', 'account_deletion.account_id', 'account.id')
      .select([
        'account_deletion.due_at as deletionDueAt',
        'account_deletion.begun_at as deletionBegunAt',
        'account.id',
        'account.name',
        'account.plan',
        'account.call_limit as callLimit',
        'account.calls_used as callsUsed',
        'account.result_days as resultDays',
        'account.created_at as createdAt',
        sql<number>`(
          select count(*) from api_key
          where api_key.account_id = account.id and revoked_at is null and is_web = 0
        )`.as('keys'),
        sql<number>`(select count(*) from web_user where web_user.account_id = account.id)`.as('users'),
      ]);
  const read = async (id: number): Promise<AdministeredAccount> => {
    const account = await accounts().where('account.id', '=', id).executeTakeFirst();
    if (!account) throw new ServiceError('not_found', 'there is no account of this id');
    return account;
  };

  return {
    /** The newest first; a position is an id. */
    async listAccounts({ limit, after }: PageRequest<number>): Promise<Page<AdministeredAccount, number>> {
      const rows = after === undefined ? accounts() : accounts().where('account.id', '<', after);
      const found = await rows
        .orderBy('account.id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found, limit, ({ id }) => id);
    },

    /** Throws `conflict` for a name that is taken; as all changes `not_allowed` for who is no administrator any more. */
    async createAccount(actor: Actor, wanted: NewAccount): Promise<AdministeredAccount> {
      const name = checkName('account', wanted.name);
      const entry = auditEntry(database, {
        accountId: sql<number>`(select id from account where name = ${name})`,
        at: deps.clock(),
        actor,
        auditEvent: { action: 'accounts.create', subject: { kind: 'account', id: null, name } },
        onlyIf: mayAdminister(creatorOf(actor)),
      });
      const [made] = await database
        // In turn, so that not two accounts are the first.
        .write([insertAccount(deps, { ...wanted, name }).returning('id'), entry], { isSerialized: true })
        .catch((error: unknown) => {
          if (!(error instanceof StorageError && error.code === 'unique')) return throwNoAdministrator(error);
          throw new ServiceError('conflict', 'there is an account of this name already', { cause: error });
        });
      return read(Number(made?.rows[0]?.['id']));
    },

    /** Throws `not_found`. */
    async changeAccount(actor: Actor, id: number, change: AccountChange): Promise<AdministeredAccount> {
      const { name } = await read(id);
      const auditEvent: AuditEvent = {
        action: 'accounts.change',
        subject: { kind: 'account', id, name },
        details: Object.fromEntries(
          Object.entries(change).filter(
            (pair): pair is [string, string | number | null] => pair[1] !== undefined,
          ),
        ),
      };
      const onlyIf = mayAdminister(creatorOf(actor));
      await changeAccount(deps, name, change, [audit.entry(id, actor, auditEvent, { onlyIf })]).catch(
        throwNoAdministrator,
      );
      return read(id);
    },

    /** The newest first; `search` is a part of the name or mail address. A position is an id. */
    async listUsers(
      { search }: { readonly search?: string | undefined },
      { limit, after }: PageRequest<number>,
    ): Promise<Page<AdministeredUser, number>> {
      let rows = query
        .selectFrom('web_user')
        .innerJoin('account', 'account.id', 'web_user.account_id')
        .select([...memberColumns, 'account.id as accountId', 'account.name as accountName']);
      if (search !== undefined) rows = rows.where(isFoundBy(search));
      if (after !== undefined) rows = rows.where('web_user.id', '<', after);
      const found = await rows
        .orderBy('web_user.id', 'desc')
        .limit(limit + 1)
        .execute();
      const users = found.map(({ accountId, accountName, ...row }) => ({
        ...toMember(row),
        account: { id: accountId, name: accountName },
      }));
      return toPage(users, limit, ({ id }) => id);
    },
  };
}

function throwNoAdministrator(error: unknown): never {
  if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
  throw new ServiceError('not_allowed', 'you are no administrator any more', { cause: error });
}
