/** Uploads of clients into drops over all lives of the service, with the outcome that each client knows. */
export type Ledger = Map<string, SentFile>;

export interface SentFile {
  /** Of the drop. */
  readonly drop: string;
  /** Of its content, as `digestOf` has it. */
  readonly digest: string;
  /**
   * `acknowledged`: its client got the acknowledgement. `cut`: its client never sent all of it. `unknown`: the client
   * cannot know, so it may be there once, complete, or not at all.
   */
  outcome: 'acknowledged' | 'cut' | 'unknown';
}
