/** What a deletion removed, for good and from everywhere. */
export interface DeletionReceipt {
  readonly people: number;
  readonly images: number;
  readonly embeddings: number;
  readonly corrections: number;
  /** Of the images. */
  readonly bytes: number;
}
