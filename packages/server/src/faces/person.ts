/** A person whose face is known. */
export interface Person {
  readonly id: number;
  readonly perceptionId: number;
  readonly name: string;
  /** The caller's own id of the person; null without one. */
  readonly keyId: string | null;
  readonly createdAt: number;
}

export interface ListedPerson extends Person {
  readonly images: number;
  /** Their newest image; null without one. */
  readonly newestImageId: number | null;
}
