import type { KeyScope } from '../storage/tables/accounts.js';

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
  /** What it opens: all of its account, or one drop. */
  readonly scope: KeyScope;
}

export interface OwnKeyWanted {
  readonly name: string;
  readonly expiresAt: number | null;
  /** No limit of its own when null or absent. */
  readonly callLimit?: number | null | undefined;
}

export interface NewOwnKey extends OwnKeyWanted {
  /** `account` unless given. */
  readonly scope?: KeyScope | undefined;
}

/** Absent: as it is. */
export type OwnKeyChange = { readonly [Field in keyof OwnKeyWanted]?: OwnKeyWanted[Field] | undefined };

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
] as const;
