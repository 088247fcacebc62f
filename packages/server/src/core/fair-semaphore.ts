import { JobQueue } from '@lynceus/engine';
import { ServiceError } from './service-error.js';

export interface PermitRequest {
  readonly accountId: number;
  /** Whoever gives up while waiting leaves at once. */
  readonly signal: AbortSignal;
}

/**
 * So much work goes on at once; the rest waits, and accounts take turns. Work is not interrupted, so one account has half of
 * the places at most, though the others are free: another one begins at once. Throws `service_busy` where too much waits.
 */
export type WithPermit = <T>(request: PermitRequest, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  start(): void;
  refuse(error: ServiceError): void;
}

export interface FairSemaphoreOptions {
  readonly permits: number;
  /** Above it, the account with the most waiting requests is refused. */
  readonly maxWaiting: number;
  /** What waits, as in "too many THINGS are waiting". */
  readonly things: string;
}

export function createFairSemaphore({ permits, maxWaiting, things }: FairSemaphoreOptions): WithPermit {
  const maxRunningPerOwner = Math.max(1, Math.floor(permits / 2));
  const queue = new JobQueue<Waiting>({ maxEntries: maxWaiting, maxRunningPerOwner });
  let free = permits;

  const startNext = () => {
    while (free > 0) {
      const next = queue.take();
      if (!next) return;
      free -= 1;
      next.start();
    }
  };

  const wait = (owner: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        if (queue.remove(waiting)) reject(gaveUp(signal));
      };
      const waiting: Waiting = {
        start() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
        refuse(error) {
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      };
      if (signal.aborted) throw gaveUp(signal);
      const { accepted, displaced } = queue.add(waiting, 'interactive', owner);
      const busy = () =>
        new ServiceError('service_busy', `too many ${things} are waiting; try again shortly`);
      displaced?.refuse(busy());
      if (!accepted) throw busy();
      signal.addEventListener('abort', leave, { once: true });
      startNext();
    });

  return async ({ accountId, signal }, work) => {
    const owner = String(accountId);
    await wait(owner, signal);
    try {
      return await work();
    } finally {
      free += 1;
      queue.ended(owner);
      startNext();
    }
  };
}

function gaveUp({ reason }: AbortSignal): ServiceError {
  return new ServiceError('service_busy', 'the request was given up', { cause: reason });
}
