/** Files of accounts in one store of this data folder. */
export interface AccountFiles {
  /** Such as `faces`; what the receipt calls them. */
  readonly store: string;
  /** Deletes those that rows of the account name, in batches; for as long as the rows are there. Tells of each batch. */
  deleteNamed(accountId: number, onBatch: OnBatch): Promise<void>;
  /** Deletes those that no row names and that are known to be the account's. */
  deleteOrphans(accountId: number, onBatch: OnBatch): Promise<void>;
}

/** Called with what was deleted since the last call. Throws to stop. */
export type OnBatch = (deleted: { readonly items: number; readonly bytes: number }) => Promise<void>;
