/** What a replica process is to do: the calls of an account, without inference. */
export interface ReplicaOrder {
  readonly databaseUrl: string;
  /** Its data folder. */
  readonly dir: string;
  /** Each caller uses one of them. */
  readonly keys: readonly string[];
  readonly callers: number;
  /** Null: until it is killed. */
  readonly seconds: number | null;
  /** `single`: each call is a unit of its own, as on a database that groups commits. */
  readonly way: 'merged' | 'single';
  /** Whether it prints the id of each call that was acknowledged. */
  readonly isAcknowledging: boolean;
}

/** The last line of a replica whose time is over. */
export interface ReplicaReport {
  readonly calls: number;
  readonly seconds: number;
  /** Times of calls in milliseconds. */
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Of the process, for a call. */
  readonly cpuMs: number;
}
