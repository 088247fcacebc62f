export interface Liveness {
  readonly status: 'ok';
}

/** Whether the service can work, and what is missing. */
export interface Readiness {
  readonly ready: boolean;
  readonly components: readonly {
    readonly name: string;
    readonly ready: boolean;
    readonly reason?: string;
    /** What an operator should look at, though it is ready. */
    readonly notices?: readonly string[];
  }[];
}
