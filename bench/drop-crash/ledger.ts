/** What clients sent into drops over all lives of the service, and how far each knows of it. */
export type Ledger = Map<string, SentFile>;

export interface SentFile {
  /** Of the drop. */
  readonly drop: string;
  /** Of its content, as `digestOf` has it. */
  readonly digest: string;
  /**
   * `acknowledged`: its client heard that it is taken. `cut`: its client never sent all of it. `unknown`: nobody can know,
   * and so it may be there once, whole, or not at all.
   */
  outcome: 'acknowledged' | 'cut' | 'unknown';
}
