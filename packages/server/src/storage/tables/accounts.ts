import type { Generated } from 'kysely';

export interface AccountTable {
  id: Generated<number>;
  /** Unique; what the command line calls it. */
  name: string;
  plan: 'paid' | 'trial';
  /** Calls the account may make in all; null: no limit. */
  call_limit: number | null;
  calls_used: Generated<number>;
  result_days: number;
  created_at: number;
}

export interface ApiKeyTable {
  id: Generated<number>;
  account_id: number;
  /** SHA-256 of the key, hexadecimal: the key itself is stored nowhere. */
  hash: string;
  /** The first characters of the key, for display. */
  prefix: string;
  name: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  /** Calls the key may make in all, beside the limit of its account; null: no limit of its own. */
  call_limit: Generated<number | null>;
  calls_used: Generated<number>;
  scope: Generated<KeyScope>;
  /** 1: what a person's pages in the web account count on. No text is this key, and no list shows it. */
  is_web: Generated<number>;
}
export type KeyScope =
  /** Everything that its account may do. */
  | 'account'
  /** One drop, and nothing else: it travels in plain text where a client knows no TLS. */
  | 'drop';

/** Calls by key, operation and UTC day (`2026-01-31`). */
export interface UsageTable {
  account_id: number;
  key_id: number;
  operation: string;
  day: string;
  calls: number;
}

/** What services on one database must agree on and nobody else may know. */
export interface SecretTable {
  name: string;
  value: string;
}

/** Ids that count up from 1001 in each account. */
export interface AccountCounterTable {
  account_id: number;
  kind: CountedKind;
  /** Given last; never given again. */
  last: number;
}

export type CountedKind =
  | 'model'
  | 'drop'
  | 'person'
  | 'face_image'
  | 'face_correction'
  | 'dataset'
  | 'dataset_class'
  | 'dataset_picture';
