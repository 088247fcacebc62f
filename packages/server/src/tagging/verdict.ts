/** What became of a file. */
export const tagOutcomes = [
  'tagged',
  'nothing-to-add',
  /** Looked at before with the same settings, and the same since. */
  'done-before',
  /** Its keywords were removed on request; `--watch` leaves it so. */
  'undone-before',
  /** Written so shortly ago that another program may still write to it. */
  'unsettled',
  'failed',
] as const;
export type TagOutcome = (typeof tagOutcomes)[number];

export interface TagVerdict {
  /** Absolute, of the image; or of a folder that could not be worked on. */
  readonly path: string;
  readonly outcome: TagOutcome;
  /** Keywords that were added, or would be. */
  readonly added: readonly string[];
  /** Absolute, where a sidecar was written in place of the image. */
  readonly sidecar: string | null;
  /** Why it failed. */
  readonly reason: string | null;
}
