import { type Compilable, sql } from 'kysely';
import type { KeyScope } from '../storage/tables/accounts.js';
import type { CreatorKind } from '../storage/tables/creator.js';
import type { Creator } from './creator.js';

/** A key as its account sees it. Times are milliseconds since 1970. */
export interface OwnKey {
  readonly id: number;
  readonly prefix: string;
  readonly name: string;
  readonly createdAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  /** Calls it may make in all, beside the limit of its account; null: no limit of its own. */
  readonly callLimit: number | null;
  readonly callsUsed: number;
  /** What it opens: all of its account, one drop, or what clients of another service ask for. */
  readonly scope: KeyScope;
  /** JSON, as `CompatSettings`; null for a key of another scope. */
  readonly compatSettings: string | null;
  /** Null: unknown, as of keys from before that was written down. */
  readonly creatorKind: CreatorKind | null;
  /** The user who created it, themselves or by a key of theirs; they may have left. */
  readonly creatorUserId: number | null;
  /** The user's name; null for one who has left. */
  readonly creatorName: string | null;
  /** The key that created it. */
  readonly creatorKeyId: number | null;
}

export interface OwnKeyRequest {
  readonly name: string;
  readonly expiresAt: number | null;
  /** No limit of its own when null or absent. */
  readonly callLimit?: number | null | undefined;
}

export interface NewOwnKey extends OwnKeyRequest {
  /** `account` unless given. */
  readonly scope?: KeyScope | undefined;
  readonly creator: Creator;
  /** Written with the key, or not at all. */
  readonly alongside?: (keyHash: string) => readonly Compilable[];
}

/** Absent: as it is. */
export type OwnKeyChange = { readonly [Field in keyof OwnKeyRequest]?: OwnKeyRequest[Field] | undefined };

export const ownKeyColumns = [
  'id',
  'prefix',
  'name',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
  'call_limit as callLimit',
  'calls_used as callsUsed',
  'scope',
  sql<string | null>`(select compat_key.settings from compat_key where compat_key.key_id = api_key.id)`.as(
    'compatSettings',
  ),
  'creator_kind as creatorKind',
  'creator_user_id as creatorUserId',
  sql<string | null>`(select web_user.name from web_user where web_user.id = api_key.creator_user_id)`.as(
    'creatorName',
  ),
  'creator_key_id as creatorKeyId',
] as const;
