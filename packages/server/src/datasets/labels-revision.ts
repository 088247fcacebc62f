import { randomInt } from 'node:crypto';

/** What `randomInt` gives at most. */
const bound = 2 ** 48 - 1;

/**
 * A number for labels that were just changed. Random rather than counted: a unit can then tell its own change from one that
 * another made at the same moment.
 */
export function newLabelsRevision(): number {
  return randomInt(1, bound);
}
