import { StorageError } from '../storage-error.js';

/** The first migration of databases that this version cannot open, and the last commit that can. */
const firstStepBefore = '0001-accounts';
const lastCommit = '39ac926cbb0f';

/**
 * Refuses a database or archive of before all tables were described anew: nothing was released then, and no migration leads here.
 * @param shown what it is called in words
 */
export function refuseBefore(applied: readonly string[], shown: string): void {
  if (!applied.includes(firstStepBefore)) return;
  throw new StorageError(
    'access',
    `${shown} has tables of before version 0.1.0, which commit ${lastCommit} of Lynceus is the last to open. Start that version, ` +
      'export the perceptions, datasets and models, and import them into an empty data folder of this version (docs/operation.md); nothing was changed.',
  );
}
