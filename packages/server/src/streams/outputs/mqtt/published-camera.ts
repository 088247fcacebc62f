import type { Camera } from '../read-cameras.js';

/** A stream with what its topics say beside the rows that are read each time. */
export interface PublishedCamera extends Camera {
  /** Classes that have topics of their own. */
  readonly labels: readonly string[];
  /** Null where nobody is named, or nobody was recognised yet. */
  readonly lastPerson: string | null;
}
