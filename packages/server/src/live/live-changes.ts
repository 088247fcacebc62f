import { setTimeout as sleep } from 'node:timers/promises';
import { createFollower, type Follower } from './follower.js';
import type { ReadChanges } from './read-changes.js';

/** Changes of accounts, while they have subscribers. */
export interface LiveChanges {
  /** What changes from when this resolves on; until the signal fires. */
  follow(accountId: number, signal: AbortSignal): Promise<Follower>;
}

interface LiveChangesOptions {
  readonly createReader: (accountId: number) => ReadChanges;
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
  const { createReader, lookMs, onFailure } = options;
  const accounts = new Map<number, Followed>();

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
    if (followed.followers.size > 0) return;
    followed.ended.abort();
    accounts.delete(accountId);
  };

  return {
    async follow(accountId, signal) {
      const followed = accounts.get(accountId) ?? open(accountId);
      accounts.set(accountId, followed);
      const follower = createFollower();
      followed.followers.add(follower);
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
