import { type Compilable, type Expression, type SqlBool, sql } from 'kysely';
import type { Database, WriteResult } from '../../storage/database.js';
import type { KeyScope } from '../../storage/tables/accounts.js';
import type { ActorKind } from '../../storage/tables/users.js';
import type { AuditAction } from '../audit/audit-actions.js';
import type { Actor } from '../audit/audit-event.js';
import { isOfUnknownCreator } from '../creator.js';

/** What happens to the keys that a user created, when they leave or lose rights. */
export interface KeyChoices {
  readonly keys: KeyChoice;
  /** Of drops: their cameras would stop. */
  readonly dropKeys: KeyChoice;
  /** Of the account and of its drops, of nobody known: programs and cameras of anybody may use them. */
  readonly unknownKeys: KeyChoice;
}
export type KeyChoice = 'revoke' | 'keep';

/** Unless something else is said. */
export const defaultKeyChoices: KeyChoices = { keys: 'revoke', dropKeys: 'keep', unknownKeys: 'keep' };

export interface NamedKey {
  readonly id: number;
  readonly prefix: string;
  readonly name: string;
}

export interface KeyReceipt {
  readonly revoked: readonly NamedKey[];
  readonly kept: readonly NamedKey[];
}

/** What happened to the keys, invitations and links that a user created. */
export interface AccessReceipt {
  readonly keys: KeyReceipt;
  readonly dropKeys: KeyReceipt;
  readonly unknownKeys: KeyReceipt;
  readonly invitationsWithdrawn: number;
  /** Links by which others would have set another password. */
  readonly linksWithdrawn: number;
}

const noKeys: KeyReceipt = { revoked: [], kept: [] };
/** Of a change that takes nothing away. */
export const nothingTakenBack: AccessReceipt = {
  keys: noKeys,
  dropKeys: noKeys,
  unknownKeys: noKeys,
  invitationsWithdrawn: 0,
  linksWithdrawn: 0,
};

interface AccessChange {
  readonly accountId: number;
  readonly userId: number;
  readonly choices: KeyChoices;
  /** False for who may still let others in. */
  readonly withdrawsLinks: boolean;
  readonly actor: Actor;
  /** What it came of, for the audit log, such as `members.remove`. */
  readonly because: string;
  readonly nowMs: number;
}

/**
 * Statements that withdraw the keys, invitations and links that a user created, with an entry of the audit log each; and the receipt, of what a
 * unit of these statements alone, in this order, answered. Such a unit runs in turn, as all that create keys and links do: what is
 * created at the same moment is found by it, or refused.
 */
export function takeBackAccess(
  { query }: Pick<Database, 'query'>,
  change: AccessChange,
): {
  readonly statements: readonly Compilable[];
  receipt(results: readonly WriteResult[]): AccessReceipt;
} {
  const { accountId, userId, choices, nowMs } = change;
  const isKey = sql<SqlBool>`account_id = ${accountId} and is_web = 0 and revoked_at is null`;
  const isTheirKey = (scope: KeyScope): Expression<SqlBool> =>
    sql<SqlBool>`${isKey} and creator_user_id = ${userId} and scope = ${scope}`;
  const isUnknownKey = sql<SqlBool>`${isKey} and coalesce(creator_user_id, 0) <> ${userId} and ${isOfUnknownCreator()}`;
  // Of administrators also into other accounts.
  const isTheirLink = sql<SqlBool>`creator_user_id = ${change.withdrawsLinks ? userId : null} and used_at is null`;
  const named = ['id', 'prefix', 'name'] as const;

  const entryOf = (action: AuditAction, kind: string) => entryColumns(change, action, kind);
  const takeKeys = (fits: Expression<SqlBool>, choice: KeyChoice): readonly [Compilable, Compilable] => {
    const memberKeys = query.selectFrom('api_key').where(fits);
    return [
      query
        .insertInto('audit_entry')
        .columns([...entryNames])
        .expression(
          memberKeys
            .select(entryOf('keys.revoke', 'key'))
            .select(['account_id', 'name as subject_name'])
            .where(sql<SqlBool>`1 = ${choice === 'revoke' ? 1 : 0}`),
        ),
      choice === 'keep'
        ? memberKeys.select(named).orderBy('id')
        : query.updateTable('api_key').set({ revoked_at: nowMs }).where(fits).returning(named),
    ];
  };
  const statements = [
    ...takeKeys(isTheirKey('account'), choices.keys),
    ...takeKeys(isTheirKey('drop'), choices.dropKeys),
    ...takeKeys(isUnknownKey, choices.unknownKeys),
    query
      .insertInto('audit_entry')
      .columns([...entryNames])
      .expression(
        query
          .selectFrom('web_link')
          .select(entryOf('invitations.withdraw', 'invitation'))
          .select([
            sql<number>`cast(coalesce(account_id, ${accountId}) as bigint)`.as('account_id'),
            'email as subject_name',
          ])
          .where(isTheirLink)
          .where('kind', '=', 'invitation')
          .where('expires_at', '>', nowMs),
      ),
    query.deleteFrom('web_link').where(isTheirLink).returning(['kind', 'expires_at']),
  ];
  return {
    statements,
    receipt(results) {
      const [, keys, , dropKeys, , unknownKeys, , links] = results;
      const open = (links?.rows ?? []).filter((row) => Number(row['expires_at'] ?? Infinity) > nowMs);
      const invitations = open.filter((row) => row['kind'] === 'invitation').length;
      return {
        keys: keyReceipt(keys, choices.keys),
        dropKeys: keyReceipt(dropKeys, choices.dropKeys),
        unknownKeys: keyReceipt(unknownKeys, choices.unknownKeys),
        invitationsWithdrawn: invitations,
        linksWithdrawn: open.length - invitations,
      };
    },
  };
}

const entryNames = [
  ...(['at', 'who_kind', 'who_id', 'who_name', 'action', 'subject_kind', 'subject_id'] as const),
  ...(['details', 'address', 'account_id', 'subject_name'] as const),
] as const;

/** In the order of `entryNames`, but for the last two. */
function entryColumns({ actor, because, userId, nowMs }: AccessChange, action: AuditAction, kind: string) {
  return [
    sql<number>`cast(${nowMs} as bigint)`.as('at'),
    sql<ActorKind>`cast(${actor.kind} as text)`.as('who_kind'),
    sql<number | null>`cast(${actor.id} as bigint)`.as('who_id'),
    sql<string>`cast(${actor.name ?? ''} as text)`.as('who_name'),
    sql<string>`cast(${action} as text)`.as('action'),
    sql<string>`cast(${kind} as text)`.as('subject_kind'),
    sql<string>`cast(id as text)`.as('subject_id'),
    sql<string>`cast(${JSON.stringify({ because, user_id: userId })} as text)`.as('details'),
    sql<string | null>`cast(${actor.address} as text)`.as('address'),
  ] as const;
}

function keyReceipt(result: WriteResult | undefined, choice: KeyChoice): KeyReceipt {
  const keys = (result?.rows ?? [])
    .map((row) => ({ id: Number(row['id']), prefix: String(row['prefix']), name: String(row['name']) }))
    .sort((a, b) => a.id - b.id);
  return choice === 'revoke' ? { revoked: keys, kept: [] } : { revoked: [], kept: keys };
}
