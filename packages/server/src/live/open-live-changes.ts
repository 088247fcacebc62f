import type { Clock } from '../core/clock.js';
import type { Database } from '../storage/database.js';
import { createLiveChanges, type LiveChanges } from './live-changes.js';
import { createChangeReader } from './read-changes.js';

/** Between two looks at the database. */
const lookMs = 1000;

/** Changes of accounts as the database tells them. */
export function openLiveChanges(deps: {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}): LiveChanges {
  return createLiveChanges({
    lookMs,
    createReader: (accountId) => createChangeReader(deps, accountId),
    onFailure: deps.onFailure,
  });
}
