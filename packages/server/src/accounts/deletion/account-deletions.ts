import { ServiceError } from '../../core/service-error.js';
import type { Page, PageRequest } from '../../storage/page.js';
import {
  createDeletionRequests,
  type DeletionRequestDeps,
  type DeletionRequests,
} from './ask-for-deletion.js';
import type { AccountDeletion } from './deletion.js';
import { listDeletions, readDeletion } from './read-deletions.js';

/** Deletions of accounts: asked for, under way and done. The services of the installation do the work. */
export interface AccountDeletions extends DeletionRequests {
  /** Throws `not_found` where none was asked for. */
  read(accountId: number): Promise<AccountDeletion>;
  /** The newest first. */
  list(page: PageRequest<number>): Promise<Page<AccountDeletion, number>>;
}

export function createAccountDeletions(deps: DeletionRequestDeps): AccountDeletions {
  return {
    ...createDeletionRequests(deps),
    list: (page) => listDeletions(deps.database, page),
    async read(accountId) {
      const deletion = await readDeletion(deps.database, accountId);
      if (deletion === null) throw new ServiceError('not_found', 'no deletion of this account was asked for');
      return deletion;
    },
  };
}
