import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../errors/service-error.js';
import { createFollower, type Follower } from './follower.js';
import type { ReadChanges } from './read-changes.js';

/** Changes of accounts, for as long as somebody follows them. */
export interface LiveChanges {
  /**
   * What changes from when this resolves on; until the signal fires. Throws `too_many_requests` when the account is followed
   * by as many as may, and `service_busy` when all accounts together are.
   */
  follow(accountId: number, signal: AbortSignal): Promise<Follower>;
}

export interface LiveChangesOptions {
  readonly createReader: (accountId: number) => ReadChanges;
  readonly maxFollowers: number;
  readonly maxFollowersOfAccount: number;
  /** Between two looks at the database, of which an account that nobody follows has none. */
  readonly lookMs: number;
  readonly onFailure: (error: unknown) => void;
}

interface Followed {
  readonly followers: Set<Follower>;
  readonly ended: AbortController;
  /** That the first look is done. */
  readonly ready: Promise<void>;
}

export function createLiveChanges(options: LiveChangesOptions): LiveChanges {
  const { createReader, maxFollowers, maxFollowersOfAccount, lookMs, onFailure } = options;
  const accounts = new Map<number, Followed>();
  let count = 0;

  /** One look for all who follow the account; a database that is away is looked at again. */
  const keepLooking = async (readChanges: ReadChanges, { followers, ended }: Omit<Followed, 'ready'>) => {
    while (!ended.signal.aborted) {
      await sleep(lookMs, undefined, { signal: ended.signal }).catch(() => undefined);
      if (ended.signal.aborted) return;
      try {
        const changes = await readChanges();
        for (const follower of followers) follower.add(changes);
      } catch (error) {
        onFailure(error);
      }
    }
  };
  const open = (accountId: number): Followed => {
    const readChanges = createReader(accountId);
    const followed = { followers: new Set<Follower>(), ended: new AbortController() };
    const first = readChanges();
    const ready = first.then(() => {
      void keepLooking(readChanges, followed);
    });
    return { ...followed, ready };
  };
  const leave = (accountId: number, followed: Followed, follower: Follower) => {
    if (!followed.followers.delete(follower)) return;
    count -= 1;
    if (followed.followers.size > 0) return;
    followed.ended.abort();
    accounts.delete(accountId);
  };

  return {
    async follow(accountId, signal) {
      if (count >= maxFollowers) {
        throw new ServiceError('service_busy', 'too many pages are open; try again shortly');
      }
      const known = accounts.get(accountId);
      if (known && known.followers.size >= maxFollowersOfAccount) {
        throw new ServiceError(
          'too_many_requests',
          `${maxFollowersOfAccount} streams of this account are open already: close one`,
        );
      }
      const followed = known ?? open(accountId);
      accounts.set(accountId, followed);
      const follower = createFollower();
      followed.followers.add(follower);
      count += 1;
      const end = () => leave(accountId, followed, follower);
      if (signal.aborted) end();
      signal.addEventListener('abort', end, { once: true });
      try {
        await followed.ready;
      } catch (error) {
        end();
        throw error;
      }
      return follower;
    },
  };
}
