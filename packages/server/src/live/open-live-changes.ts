import type { Clock } from '../clock.js';
import type { Database } from '../storage/database.js';
import { createLiveChanges, type LiveChanges } from './live-changes.js';
import { createChangeReader } from './read-changes.js';

/** A person has some pages open; connections of the service are few beside its callers'. */
const limits = { maxFollowers: 500, maxFollowersOfAccount: 10, lookMs: 1000 };

/** Changes of accounts as the database tells them. */
export function openLiveChanges(deps: {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}): LiveChanges {
  return createLiveChanges({
    ...limits,
    createReader: (accountId) => createChangeReader(deps, accountId),
    onFailure: deps.onFailure,
  });
}
