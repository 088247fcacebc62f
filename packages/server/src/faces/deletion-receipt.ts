/** What a deletion removed, for good and from everywhere. */
export interface DeletionReceipt {
  readonly people: number;
  readonly images: number;
  readonly embeddings: number;
  readonly corrections: number;
  /** Of the images. */
  readonly bytes: number;
}

export const emptyReceipt: DeletionReceipt = {
  people: 0,
  images: 0,
  embeddings: 0,
  corrections: 0,
  bytes: 0,
};

export function sumReceipts(a: DeletionReceipt, b: DeletionReceipt): DeletionReceipt {
  return {
    people: a.people + b.people,
    images: a.images + b.images,
    embeddings: a.embeddings + b.embeddings,
    corrections: a.corrections + b.corrections,
    bytes: a.bytes + b.bytes,
  };
}
