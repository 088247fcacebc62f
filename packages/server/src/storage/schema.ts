import type { PictureKind } from '@lynceus/engine';
import type { Generated } from 'kysely';

/**
 * The tables, for SQLite and PostgreSQL alike. Times are milliseconds since 1970 in a 64-bit integer, booleans the
 * integers 0 and 1, JSON is text written by us, ids are 64-bit integers below 2^53. Every row that a customer owns
 * carries its account.
 */
export interface Schema {
  account: AccountTable;
  api_key: ApiKeyTable;
  usage: UsageTable;
  analysis: AnalysisTable;
}

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
}

/** Calls by key, operation and UTC day (`2026-01-31`). */
export interface UsageTable {
  account_id: number;
  key_id: number;
  operation: string;
  day: string;
  calls: number;
}

export interface AnalysisTable {
  fileid: string;
  account_id: number;
  key_id: number;
  operation: string;
  created_at: number;
  expires_at: number;
  /** The domain result, models with versions, calibration, thresholds and timings, as JSON. */
  record: string;
  /** Of the picture kept beside it; null where none is. */
  picture_bytes: number | null;
  picture_kind: PictureKind | null;
}
