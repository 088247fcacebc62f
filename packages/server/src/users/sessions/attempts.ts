import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';

export interface AttemptLimits {
  /** So many are free, then each waits twice as long as the one before. */
  readonly free: number;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /** After so long without one, all is forgotten. */
  readonly forgetMs: number;
}

/** How often something was tried that may be a guess, by whatever names the one who tries; in this process alone. */
export interface Attempts {
  /** Throws `too_many_requests`, with when it is worth trying, while the wait is not over. */
  check(name: string): void;
  /** One more, before it is known how it ends: of many at once each counts. */
  count(name: string): void;
  /** It was no guess after all. */
  giveBack(name: string): void;
  forget(name: string): void;
}

interface Tried {
  readonly times: number;
  readonly lastAt: number;
  /** Not before. */
  readonly nextAt: number;
}

/** Names counted at once; of more the longest unseen are forgotten. */
const maxNames = 20_000;

export function createAttempts(limits: AttemptLimits, clock: Clock): Attempts {
  const tried = new LRUCache<string, Tried>({ max: maxNames });
  const recall = (name: string): Tried => {
    const known = tried.get(name);
    const none = { times: 0, lastAt: 0, nextAt: 0 };
    return known && clock() - known.lastAt < limits.forgetMs ? known : none;
  };
  const waitAfter = (times: number) =>
    times < limits.free ? 0 : Math.min(limits.maxWaitMs, limits.firstWaitMs * 2 ** (times - limits.free));
  return {
    check(name) {
      const leftMs = recall(name).nextAt - clock();
      if (leftMs <= 0) return;
      const retryAfterSeconds = Math.ceil(leftMs / 1000);
      throw new ServiceError('too_many_requests', `tried too often; try again in ${retryAfterSeconds} s`, {
        retryAfterSeconds,
      });
    },
    count(name) {
      const times = recall(name).times + 1;
      tried.set(name, { times, lastAt: clock(), nextAt: clock() + waitAfter(times) });
    },
    giveBack(name) {
      const { times, lastAt } = recall(name);
      if (times > 0) tried.set(name, { times: times - 1, lastAt, nextAt: 0 });
    },
    forget: (name) => tried.delete(name),
  };
}
