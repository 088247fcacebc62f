import { StorageError } from '../storage-error.js';

/** The first migration of the databases that this version cannot open, and the last commit that opens them. */
const firstStepBefore = '0001-accounts';
const lastCommit = 'ea08a9fe';

/**
 * Refuses a database or archive with the tables of before `0001-tables`, which no migration brings here. Nothing was released then.
 * @param shown begins the sentence: what was made, in words
 */
export function refuseBefore(applied: readonly string[], shown: string): void {
  if (!applied.includes(firstStepBefore)) return;
  throw new StorageError(
    'access',
    `${shown} was made by a version of before the first release; commit ${lastCommit} of Lynceus is the last that opens it. ` +
      'Check that commit out, export perceptions, datasets and models (lynceus faces export, datasets export, custom export), ' +
      'and import them into an empty data folder of this version (docs/operation.md, "Data of before the first release"). Nothing was changed.',
  );
}
