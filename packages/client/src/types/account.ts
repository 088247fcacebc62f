/** Times are UTC, such as `2026-01-31T12:00:00.000Z`. */
export interface Account {
  readonly id: number;
  readonly name: string;
  readonly plan: 'paid' | 'trial';
  /** `limit` and `left` are null where there is no limit. */
  readonly calls: { readonly limit: number | null; readonly used: number; readonly left: number | null };
  /** Days for which results are kept; 0: they are not. */
  readonly result_days: number;
  readonly created_at: string;
}

export interface ApiKey {
  readonly id: number;
  /** How the key begins. */
  readonly prefix: string;
  readonly name: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Calls it may make in all, beside the limit of the account; null: no limit of its own. */
  readonly call_limit: number | null;
  readonly calls_used: number;
  /** What it opens: everything of the account, or one drop by FTP and nothing else. */
  readonly scope: 'account' | 'drop';
  /** Who created it. */
  readonly created_by: {
    /** `operator`: the command line; `unknown`: it is from before that was written down. */
    readonly kind: 'user' | 'key' | 'operator' | 'unknown';
    /** The user, also of what one of their keys created; they may have left. */
    readonly user_id: number | null;
    readonly key_id: number | null;
    /** Shown to owners; null for who has left. */
    readonly name: string | null;
  };
  /** Whether it is the key that this client uses. */
  readonly is_current: boolean;
}

export interface NewApiKey extends ApiKey {
  /** The key itself, shown here and never again. */
  readonly key: string;
}

/** Calls that counted, of one day (UTC), key and operation. */
export interface UsageRow {
  readonly day: string;
  readonly key_id: number;
  /** `web account`: the pages of one of the account's people. */
  readonly key_name: string;
  readonly operation: string;
  readonly calls: number;
}

export interface UsagePage {
  readonly from: string;
  readonly to: string;
  /** The calls of all pages together. */
  readonly total: number;
  readonly data: readonly UsageRow[];
  /** For the next page; null: this is the last. */
  readonly next_cursor: string | null;
}

/** Calls that counted, summed. */
export interface UsageSums {
  readonly from: string;
  readonly to: string;
  readonly total: number;
  readonly group_by: 'day' | 'operation' | 'key';
  /** Each with the one of these that it is of; days in their order, operations and keys by calls, the most first. */
  readonly data: readonly {
    readonly day?: string;
    readonly operation?: string;
    readonly key_id?: number;
    /** Beside `key_id`. */
    readonly key_name?: string;
    readonly calls: number;
  }[];
  /** All of it is here. */
  readonly next_cursor: null;
}
