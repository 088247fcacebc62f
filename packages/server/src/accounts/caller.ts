/** Who is calling: the outcome of a valid key. */
export interface Caller {
  readonly accountId: number;
  readonly keyId: number;
  /** How long this account keeps its results. */
  readonly resultDays: number;
  /** Whether the account or the key has calls that can run out. */
  readonly hasLimit: boolean;
  /** Whether the key may make, change and revoke keys: one with a limit of its own could lift it so. */
  readonly managesKeys: boolean;
  /** Whether the rate limits of the account hold for all replicas together, rather than each allowing a share. */
  readonly hasExactRateLimits: boolean;
}

/** A call that may be made; it must be settled or given back, one of the two. */
export interface Reservation {
  readonly caller: Caller;
  /** Such as `v1.predict_image`; usage is reported by it. */
  readonly operation: string;
  readonly day: string;
  /**
   * Whether it is counted already, as it must be where calls can run out. Elsewhere it is counted when it is settled:
   * one write less before the work, and a call that never ends never counts.
   */
  readonly isCounted: boolean;
}
