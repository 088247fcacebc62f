import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';

export interface QueueLimits {
  /** So many at once are let by; then one each interval. */
  readonly free: number;
  readonly intervalMs: number;
  /** How long one waits for its turn before it is refused. */
  readonly maxWaitMs: number;
  /** Who wait for one name; one more takes the place of one of them by chance. */
  readonly maxWaiting: number;
  /** Who wait for any name; one more takes the place of one of them, by chance, who wait for the name that has most. */
  readonly maxWaitingInAll: number;
}

/**
 * Lets attempts on one name by at a bounded rate, in the order of their coming. Who polls waits in it as long as anybody: a turn
 * cannot be taken by asking more often, only by more requests that wait at once, of which each site has one.
 */
export interface SignInQueue {
  /** Resolves when it is this one's turn. Throws `too_many_requests` when that takes too long, or the signal's reason. */
  enter(name: string, site: string, signal: AbortSignal): Promise<void>;
  /** It was no guess after all. */
  giveBack(name: string): void;
  /** Refuses whoever waits, and from now on whoever would have to. */
  close(): void;
}

interface Bucket {
  readonly left: number;
  /** When `left` was true. */
  readonly at: number;
}

interface Waiting {
  readonly site: string;
  readonly enter: () => void;
  readonly refuse: (error: unknown) => void;
}

/** Names counted at once; of more the longest unseen are forgotten. */
const maxNames = 20_000;
const shortestLookMs = 50;

export function createSignInQueue(limits: QueueLimits, clock: Clock): SignInQueue {
  const { free, intervalMs, maxWaitMs, maxWaiting, maxWaitingInAll } = limits;
  const buckets = new LRUCache<string, Bucket>({ max: maxNames });
  const queues = new Map<string, Waiting[]>();
  const looks = new Map<string, NodeJS.Timeout>();
  let waitingInAll = 0;
  let isClosed = false;

  const refill = (name: string): Bucket => {
    const { left, at } = buckets.get(name) ?? { left: free, at: clock() };
    const gained = Math.max(0, Math.floor((clock() - at) / intervalMs));
    return left + gained >= free
      ? { left: free, at: clock() }
      : { left: left + gained, at: at + gained * intervalMs };
  };
  /** Whether there was one. */
  const take = (name: string): boolean => {
    const { left, at } = refill(name);
    const isLeft = left > 0;
    buckets.set(name, { left: isLeft ? left - 1 : left, at });
    return isLeft;
  };
  const leave = (name: string, one: Waiting): boolean => {
    const queue = queues.get(name) ?? [];
    const index = queue.indexOf(one);
    if (index < 0) return false;
    queue.splice(index, 1);
    waitingInAll -= 1;
    if (queue.length === 0) queues.delete(name);
    return true;
  };
  const serve = (name: string): void => {
    for (let first = queues.get(name)?.[0]; first && take(name); first = queues.get(name)?.[0]) {
      leave(name, first);
      first.enter();
    }
    if (queues.has(name)) serveLater(name);
  };
  const serveLater = (name: string): void => {
    if (looks.has(name)) return;
    const nextMs = refill(name).at + intervalMs - clock();
    const look = setTimeout(
      () => {
        looks.delete(name);
        serve(name);
      },
      Math.max(shortestLookMs, Math.min(nextMs, intervalMs)),
    );
    looks.set(name, look.unref());
  };
  const tooMany = () => {
    const retryAfterSeconds = Math.ceil(intervalMs / 1000);
    return new ServiceError(
      'too_many_requests',
      'this mail address is tried too often, from many places; try again, or from a browser that signed in before',
      { retryAfterSeconds },
    );
  };
  const displace = (name: string, queue: readonly Waiting[]): void => {
    const chosen = queue[randomInt(queue.length)];
    if (chosen && leave(name, chosen)) chosen.refuse(tooMany());
  };
  const longest = () => [...queues].reduce((most, each) => (each[1].length > most[1].length ? each : most));
  const wait = (name: string, site: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      const one: Waiting = {
        site,
        enter: () => {
          end();
          resolve();
        },
        refuse: (error) => {
          end();
          reject(error);
        },
      };
      const onAbort = () => leave(name, one) && one.refuse(signal.reason);
      const timer = setTimeout(() => leave(name, one) && one.refuse(tooMany()), maxWaitMs);
      signal.addEventListener('abort', onAbort);
      const queue = queues.get(name) ?? [];
      queue.push(one);
      waitingInAll += 1;
      queues.set(name, queue);
      serveLater(name);
    });

  return {
    async enter(name, site, signal) {
      signal.throwIfAborted();
      const queue = queues.get(name);
      if (!queue && take(name)) return;
      if (isClosed || queue?.some((one) => one.site === site)) throw tooMany();
      if (queue && queue.length >= maxWaiting) displace(name, queue);
      // Who fills the queues of other names takes the place of nobody on this one.
      else if (waitingInAll >= maxWaitingInAll) displace(...longest());
      await wait(name, site, signal);
    },
    giveBack(name) {
      const { left, at } = refill(name);
      buckets.set(name, { left: Math.min(free, left + 1), at });
    },
    close() {
      isClosed = true;
      for (const look of looks.values()) clearTimeout(look);
      for (const [name, queue] of [...queues]) {
        for (const one of [...queue]) if (leave(name, one)) one.refuse(tooMany());
      }
    },
  };
}
