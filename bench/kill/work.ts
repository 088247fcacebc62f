/** What clients do while their service is disturbed, and know of it afterwards. */
export interface Work {
  /** Starts the clients of one round. */
  start(round: number): Running;
  /** Whether the round has something to lose. */
  isAcknowledged(): boolean;
  /** Compares what is there with what was acknowledged; returns descriptions of the differences. */
  check(asked: WorkCheck): Promise<readonly string[]>;
  /** What was done up to now. */
  describe(): string;
  close(): Promise<void>;
}

export interface Running {
  /** Ends the clients, after their service was killed. */
  over(): Promise<void>;
}

export interface WorkCheck {
  readonly round: number;
  /** After the last round jobs are awaited, and everything is searched for. */
  readonly isLast: boolean;
}
