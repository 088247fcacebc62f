export interface Liveness {
  readonly status: 'ok';
}

/** Whether the service can work, and what is missing. */
export interface Readiness {
  readonly ready: boolean;
  readonly parts: readonly {
    readonly name: string;
    readonly ready: boolean;
    readonly reason?: string;
    /** What an operator has to know although it works. */
    readonly warning?: string;
  }[];
}
