import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { CreatorKind } from '../storage/tables/creator.js';
import type { Actor } from './audit/audit-event.js';

/** Who creates a key, an invitation or a link. */
export type Creator =
  | { readonly kind: 'user' | 'key'; readonly id: number }
  /** Whoever has the command line, and the service itself. */
  | { readonly kind: 'operator' };

export const byOperator: Creator = { kind: 'operator' };

export function creatorOf({ kind, id }: Pick<Actor, 'kind' | 'id'>): Creator {
  return kind === 'operator' || id === null ? byOperator : { kind, id };
}

/** As a row has it. What a key creates is its user's as well, so that successors of a key are found with it. */
export function creatorColumns(creator: Creator): {
  readonly creator_kind: RawBuilder<CreatorKind>;
  readonly creator_user_id: RawBuilder<number | null>;
  readonly creator_key_id: RawBuilder<number | null>;
} {
  const { kind } = creator;
  const id = creator.kind === 'operator' ? null : creator.id;
  return {
    creator_kind: sql`cast(${kind} as text)`,
    creator_user_id:
      kind === 'key'
        ? sql`(select by_key.creator_user_id from api_key as by_key where by_key.id = ${id})`
        : sql`cast(${id} as bigint)`,
    creator_key_id: sql`cast(${kind === 'key' ? id : null} as bigint)`,
  };
}

/**
 * Whether an authenticated user may create keys at the moment of the unit: not who was removed, or only reads by now, nor a
 * key that was revoked. The unit runs in turn, as a removal does, so that nothing slips between the two.
 */
export function mayCreateKeys(creator: Creator, accountId: number, nowMs: number): RawBuilder<boolean> {
  switch (creator.kind) {
    case 'operator':
      return sql<boolean>`1 = 1`;
    case 'user':
      return sql<boolean>`exists (
        select 1 from web_user where id = ${creator.id} and account_id = ${accountId} and role <> 'reader'
      )`;
    case 'key':
      return sql<boolean>`exists (
        select 1 from api_key as by_key
        where by_key.id = ${creator.id} and by_key.account_id = ${accountId} and by_key.revoked_at is null
        and (by_key.expires_at is null or by_key.expires_at > ${nowMs})
        and by_key.call_limit is null and by_key.scope = 'account'
      )`;
  }
}

/** Whether a user may invite others into an account at the moment of the unit: its owners, and administrators. */
export function mayLetIn(creator: Creator, accountId: number): RawBuilder<boolean> {
  if (creator.kind === 'operator') return sql<boolean>`1 = 1`;
  if (creator.kind === 'key') return sql<boolean>`1 = 0`;
  return sql<boolean>`exists (
    select 1 from web_user as host
    where host.id = ${creator.id}
    and (host.is_administrator = 1 or (host.account_id = ${accountId} and host.role = 'owner'))
  )`;
}

/** Whether a user manages the users of an account at the moment of the unit: its owners do. */
export function mayManageUsers(by: Creator, accountId: number): RawBuilder<boolean> {
  if (by.kind === 'operator') return sql<boolean>`1 = 1`;
  if (by.kind === 'key') return sql<boolean>`1 = 0`;
  return sql<boolean>`exists (
    select 1 from web_user as boss
    where boss.id = ${by.id} and boss.account_id = ${accountId} and boss.role = 'owner'
  )`;
}

/** Whether a user administers the service at the moment of the unit. */
export function mayAdminister(by: Creator): RawBuilder<boolean> {
  if (by.kind === 'operator') return sql<boolean>`1 = 1`;
  if (by.kind === 'key') return sql<boolean>`1 = 0`;
  return sql<boolean>`exists (
    select 1 from web_user as boss where boss.id = ${by.id} and boss.is_administrator = 1
  )`;
}

/**
 * Of a key, as SQL: whether it leads to no user of the account. Its creator was of an account that was deleted, is a key of no user, or
 * is a user who has left.
 */
export function isOfUnknownCreator(): RawBuilder<SqlBool> {
  return sql<SqlBool>`(
    creator_kind is null
    or (creator_kind = 'key' and creator_user_id is null)
    or (creator_user_id is not null and not exists (
      select 1 from web_user as creator where creator.id = api_key.creator_user_id
    ))
  )`;
}
