/** What became of an image, the best first. */
export const verdicts = [
  'added',
  /** Added, with advice on the photo or its name. */
  'added-with-advice',
  'there-already',
  /** The perception has this very image of another person; not added. */
  'under-another-name',
  /** By the perception's settings, or since it is not clear whose it is. */
  'refused',
  'no-face',
  'not-an-image',
  'too-large',
  'not-read',
  /** Through no fault of the image: it is worth another run. */
  'failed',
] as const;
export type Verdict = (typeof verdicts)[number];

export interface ImageVerdict {
  readonly path: string;
  /** By the name of the folder; null when it is not clear. */
  readonly person: string | null;
  readonly verdict: Verdict;
  /** Of the image that was added or was there; else null. */
  readonly imageId: number | null;
  /** Why, or what to fix; null when there is nothing to say. */
  readonly advice: string | null;
}

/** Whether the image now is what the tree says: an image of that person. */
export function isThere(verdict: Verdict): boolean {
  return verdict === 'added' || verdict === 'added-with-advice' || verdict === 'there-already';
}
