/** What became of a file. */
const tagOutcomes = [
  'tagged',
  /** All keywords are there. */
  'nothing-to-add',
  /** Recognition found nothing that becomes a keyword. */
  'nothing-found',
  /** Looked at before with the same settings, and the same since. */
  'done-before',
  /** Its keywords were removed on request; `--watch` leaves it so. */
  'undone-before',
  /** Written so shortly ago that another program may still write to it. */
  'unsettled',
  /** Named as an image, and none by its content. */
  'passed-over',
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
