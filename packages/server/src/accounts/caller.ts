/** Who is calling: the outcome of a valid key. */
export interface Caller {
  readonly accountId: number;
  readonly keyId: number;
  /** How long this account keeps its results. */
  readonly resultDays: number;
}

/** A call counted against the allowance until it is settled or given back; exactly one of the two must follow. */
export interface Reservation {
  readonly caller: Caller;
  /** Such as `v1.predict_image`; what usage is told by. */
  readonly operation: string;
  readonly day: string;
}
