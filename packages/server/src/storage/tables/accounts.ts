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
  /** Since when it is about to be deleted: its keys, sessions and log-ins open nothing. */
  closed_at: Generated<number | null>;
  /** 1: its rate limits are counted in the database, for all replicas together. */
  exact_rate_limits: Generated<number>;
}

export interface ApiKeyTable extends CreatorColumns {
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
  | 'drop'
  /** What a client of another service asks for, by that service's protocol, and nothing else. */
  | 'compat';

/** Beside a key of the scope `compat`. */
export interface CompatKeyTable {
  key_id: number;
  account_id: number;
  /** JSON, as `CompatSettings`. */
  settings: string;
}

/** Where clients that send no key have the access of one. */
export interface CompatListenerTable {
  id: Generated<number>;
  /** Of the key. */
  account_id: number;
  key_id: number;
  host: string;
  /** Unique. */
  port: number;
  /** JSON: addresses and networks that are let in. */
  networks: string;
  created_at: number;
}

/** Calls by key, operation and UTC day (`2026-01-31`). */
export interface UsageTable {
  account_id: number;
  key_id: number;
  operation: string;
  day: string;
  calls: number;
  /** Calls that were ended while they ran. They do not count in `calls`. */
  failed: Generated<number>;
  /** Processor time that they took. */
  failed_cpu_ms: Generated<number>;
}

/** Who created a key or a link; all null: nobody knows, it is from before that was written down. */
export interface CreatorColumns {
  creator_kind: Generated<CreatorKind | null>;
  /** The user, also of what one of their keys created; they may have left. */
  creator_user_id: Generated<number | null>;
  /** Of what was created by a key. */
  creator_key_id: Generated<number | null>;
}
export type CreatorKind = 'user' | 'key' | 'operator';

/** One row: what the key of the installation is known by. */
export interface InstallationKeyTable {
  id: number;
  check_value: string;
  /** Of the key before, with which values may be sealed still. */
  previous_check: Generated<string | null>;
  /** 1: nothing more may be sealed with that one. */
  is_resealing: Generated<number>;
  /** Of the last key that was replaced: it does not become the sealing key again by itself. */
  retired_check: Generated<string | null>;
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
  | 'dataset_image'
  | 'stream'
  | 'stream_event'
  | 'stream_output'
  | 'video';
