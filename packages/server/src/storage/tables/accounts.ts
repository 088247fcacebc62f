import { creatorColumns } from './creator.js';
import { id, number, oneOf, table, text } from './define-table.js';

export const account = table(
  {
    id: id(),
    /** Unique; what the command line calls it. */
    name: text().unique(),
    plan: oneOf('paid', 'trial'),
    /** Calls the account may make in all; null: no limit. */
    call_limit: number().orNull().check('>= 0'),
    calls_used: number().check('>= 0').default(0),
    result_days: number(),
    created_at: number(),
    /** Since when it is about to be deleted: its keys, sessions and log-ins open nothing. */
    closed_at: number().orNull(),
    /** 1: its rate limits are counted in the database, for all replicas together. */
    exact_rate_limits: number().default(0),
  },
  { kept: 'deleted last, by itself' },
);

export const apiKey = table(
  {
    id: id(),
    account_id: number().references('account', 'cascade'),
    /** SHA-256 of the key, hexadecimal: the key itself is stored nowhere. */
    hash: text().unique(),
    /** The first characters of the key, for display. */
    prefix: text(),
    name: text(),
    created_at: number(),
    expires_at: number().orNull(),
    revoked_at: number().orNull(),
    /** Calls the key may make in all, beside the limit of its account; null: no limit of its own. */
    call_limit: number().orNull().check('>= 0'),
    calls_used: number().check('>= 0').default(0),
    scope: oneOf<KeyScope>('account', 'drop', 'compat').default('account'),
    /** 1: what a person's pages in the web account count on. No text is this key, and no list shows it. */
    is_web: number().check('in (0, 1)').default(0),
    ...creatorColumns,
  },
  { indexes: { account: ['account_id'], account_created: ['account_id', 'created_at'] }, deleted: {} },
);
export type KeyScope =
  /** Everything that its account may do. */
  | 'account'
  /** One drop, and nothing else: it travels in plain text where a client knows no TLS. */
  | 'drop'
  /** What a client of another service asks for, by that service's protocol, and nothing else. */
  | 'compat';

/** Beside a key of the scope `compat`. */
export const compatKey = table(
  {
    key_id: number().primaryKey().references('api_key', 'cascade'),
    account_id: number(),
    /** JSON, as `CompatSettings`. */
    settings: text(),
  },
  { indexes: { account: ['account_id', 'key_id'] }, deleted: {} },
);

/** Where clients that send no key have the access of one. */
export const compatListener = table(
  {
    id: id(),
    /** Of the key. */
    account_id: number(),
    key_id: number().references('api_key', 'cascade'),
    host: text(),
    /** Unique. */
    port: number().unique(),
    /** JSON: addresses and networks that are let in. */
    networks: text(),
    created_at: number(),
  },
  { indexes: { account: ['account_id', 'id'], key: ['key_id'] }, deleted: { order: ['account_id', 'id'] } },
);

/** Calls by key, operation and UTC day (`2026-01-31`). */
export const usage = table(
  {
    account_id: number().references('account', 'cascade'),
    key_id: number().references('api_key', 'cascade'),
    operation: text(),
    day: text(),
    calls: number().check('>= 0'),
    /** Calls that were ended while they ran. They do not count in `calls`. */
    failed: number().default(0),
    /** Processor time that they took. */
    failed_cpu_ms: number().default(0),
  },
  {
    key: ['key_id', 'day', 'operation'],
    indexes: { account: ['account_id', 'day'] },
    deleted: { order: ['account_id', 'day', 'key_id', 'operation'] },
  },
);

/** One row: what the key of the installation is known by. */
export const installationKey = table(
  {
    id: number().primaryKey().check('= 1'),
    check_value: text(),
    /** Of the key before, with which values may be sealed still. */
    previous_check: text().orNull(),
    /** 1: nothing more may be sealed with that one. */
    is_resealing: number().default(0),
    /** Of the last key that was replaced: it does not become the sealing key again by itself. */
    retired_check: text().orNull(),
  },
  { kept: 'of the service' },
);

/** Ids that count up from 1001 in each account. */
export const accountCounter = table(
  {
    account_id: number().references('account', 'cascade'),
    kind: text<CountedKind>(),
    /** Given last; never given again. */
    last: number(),
  },
  { key: ['account_id', 'kind'], deleted: {} },
);

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
