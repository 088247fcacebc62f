import { createHash, randomInt } from 'node:crypto';

/** What `randomInt` gives at most. */
const bound = 2 ** 48 - 1;
/** The lower half of a revision is random; the upper half may say who changed the labels. */
const half = 2 ** 24;

/**
 * A number for labels that were just changed. Random rather than counted: a unit can then tell its own change from one that
 * another made at the same moment.
 * @param job that changes them: it recognises the revision after a restart, see `isRevisionOf`
 */
export function newLabelsRevision(job?: string): number {
  return job === undefined ? randomInt(1, bound) : tagOf(job) * half + randomInt(1, half);
}

/** Whether an attempt at this job gave an image the labels that it has. Of other revisions one in 16 million seems to be of it. */
export function isRevisionOf(revision: number, job: string): boolean {
  return Math.floor(revision / half) === tagOf(job);
}

function tagOf(job: string): number {
  return createHash('sha256').update(job).digest().readUIntBE(0, 3);
}
