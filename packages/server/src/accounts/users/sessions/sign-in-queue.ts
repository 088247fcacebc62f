import { randomInt } from 'node:crypto';
import type { Clock } from '../../../core/clock.js';
import { ServiceError } from '../../../core/service-error.js';
import type { BucketKind, Counter, Limiter } from '../../../service/limits/limiter.js';

/** Turns that are free, and between two of the others. */
export interface QueueLimits extends BucketKind {
  /** How long one waits for its turn before it is refused. */
  readonly maxWaitMs: number;
  /** Who wait for one name; one more takes the place of one of them by chance. */
  readonly maxWaiting: number;
  /** Who wait for any name; one more takes the place of one of them, by chance, who wait for the name that has most. */
  readonly maxWaitingInAll: number;
}

interface Waiting {
  readonly site: string;
  readonly enter: () => void;
  readonly refuse: (error: unknown) => void;
}

/** A look asks the database. */
const shortestLookMs = 50;

/**
 * Lets attempts on one name by at a bounded rate, in the order of their coming to this service; the rate is that of all services on
 * the database together, whose queues take their turns from it by chance. Who polls waits in it as long as anybody: a turn
 * cannot be taken by asking more often, only by more requests that wait at once, of which each site has one.
 */
export function createSignInQueue(
  limits: QueueLimits,
  { clock, limiter }: { readonly clock: Clock; readonly limiter: Pick<Limiter, 'take' | 'giveBack'> },
) {
  const { intervalMs, maxWaitMs, maxWaiting, maxWaitingInAll } = limits;
  const turn = (name: string): Counter => ({ of: limits, name });
  const queues = new Map<string, Waiting[]>();
  const looks = new Map<string, NodeJS.Timeout>();
  let waitingInAll = 0;
  let isClosed = false;

  const leave = (name: string, one: Waiting): boolean => {
    const queue = queues.get(name) ?? [];
    const index = queue.indexOf(one);
    if (index < 0) return false;
    queue.splice(index, 1);
    waitingInAll -= 1;
    if (queue.length === 0) queues.delete(name);
    return true;
  };
  /** Gives turns to those who wait, as long as there are any, then looks again when there is the next. */
  const serve = async (name: string): Promise<void> => {
    while (queues.has(name)) {
      const nextAt = await limiter.take(turn(name));
      if (nextAt !== null) {
        serveLater(name, nextAt);
        return;
      }
      const first = queues.get(name)?.[0];
      if (first && leave(name, first)) first.enter();
      // Whoever waited has left meanwhile.
      else await limiter.giveBack(turn(name));
    }
  };
  const serveLater = (name: string, nextAt: number): void => {
    if (looks.has(name) || !queues.has(name)) return;
    const look = setTimeout(
      () => {
        looks.delete(name);
        // While the database is away whoever waits goes on waiting.
        serve(name).catch(() => serveLater(name, clock() + intervalMs));
      },
      // By chance, so that no service comes always before another.
      Math.max(shortestLookMs, Math.min(nextAt - clock(), intervalMs)) +
        randomInt(Math.ceil(intervalMs / 10)),
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
  const wait = (name: string, site: string, nextAt: number, signal: AbortSignal) =>
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
      serveLater(name, nextAt);
    });

  return {
    /** Resolves when it is this one's turn. Throws `too_many_requests` when that takes too long, or the signal's reason. */
    async enter(name: string, site: string, signal: AbortSignal) {
      signal.throwIfAborted();
      // Who comes while others wait stands behind them.
      let nextAt = queues.has(name) ? clock() + intervalMs : await limiter.take(turn(name));
      if (nextAt === null) {
        // Who came before and found none has begun to wait meanwhile, and goes first.
        const first = queues.get(name)?.[0];
        if (!first || !leave(name, first)) return;
        first.enter();
        nextAt = clock() + intervalMs;
      }
      signal.throwIfAborted();
      const queue = queues.get(name);
      if (isClosed || queue?.some((one) => one.site === site)) throw tooMany();
      if (queue && queue.length >= maxWaiting) displace(name, queue);
      // Who fills the queues of other names takes the place of nobody on this one.
      else if (waitingInAll >= maxWaitingInAll) displace(...longest());
      await wait(name, site, nextAt, signal);
    },
    /** Refuses whoever waits, and from now on whoever would have to. */
    close() {
      isClosed = true;
      for (const look of looks.values()) clearTimeout(look);
      for (const [name, queue] of [...queues]) {
        for (const one of [...queue]) if (leave(name, one)) one.refuse(tooMany());
      }
    },
  };
}
