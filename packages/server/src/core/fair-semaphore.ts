import { JobQueue, RecentOwners } from '@lynceus/engine';
import { ServiceError } from './service-error.js';

export interface PermitRequest {
  readonly accountId: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** Without an account: the caller is not signed in. All such callers count as one account, unless they are told apart by a text. */
interface AnyPermitRequest extends Partial<Pick<PermitRequest, 'signal'>> {
  readonly accountId: number | string | null;
}

/**
 * Limits how much work runs at once; the rest waits, and accounts take turns by the time that their work has taken: after work that ran
 * into a time-out its account comes last. Throws `service_busy` where too much waits.
 */
export type WithPermit = <T>(request: AnyPermitRequest, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  /** @param leave ends the turn, with the seconds that it took */
  start(leave: (seconds: number) => void): void;
  refuse(error: ServiceError): void;
}

interface FairSemaphoreOptions {
  readonly permits: number;
  /** Above it, the account with the most waiting requests is refused. */
  readonly maxWaiting: number;
  /** The message of the refusal. */
  readonly refusal: string;
  /**
   * Of one account at once. Half of the permits unless given: work is not interrupted, so that another account then starts
   * without waiting.
   */
  readonly maxPerAccount?: number;
  /** Of one account at once while another account has asked within the last seconds, where that is fewer. */
  readonly maxBesideOthers?: number;
  /** Who has asked; of several semaphores where an account that asks for one of them counts as another for all. */
  readonly recent?: RecentOwners;
}

/** For so long after an account has asked, `maxBesideOthers` applies to all others. */
const sharesForMs = 10_000;

export function createRecentOwners(): RecentOwners {
  return new RecentOwners(sharesForMs);
}

export function createFairSemaphore(options: FairSemaphoreOptions): WithPermit {
  const { permits, maxWaiting, refusal, maxPerAccount = Math.max(1, Math.floor(permits / 2)) } = options;
  const { maxBesideOthers = maxPerAccount, recent = createRecentOwners() } = options;
  const queue = new JobQueue<Waiting>({
    maxEntries: maxWaiting,
    maxRunningOf: (owner) =>
      recent.hasOtherThan(owner) ? Math.min(maxPerAccount, maxBesideOthers) : maxPerAccount,
  });
  const busy = () => new ServiceError('service_busy', refusal);
  let free = permits;

  const startNext = () => {
    while (free > 0) {
      const next = queue.take();
      if (!next) return;
      free -= 1;
      next.entry.start((seconds) => {
        free += 1;
        next.end(seconds);
        startNext();
      });
    }
  };

  const wait = (owner: string, isAccount: boolean, signal: AbortSignal | undefined) =>
    new Promise<(seconds: number) => void>((resolve, reject) => {
      const giveUp = () => {
        if (queue.remove(waiting)) reject(canceled(signal));
      };
      const waiting: Waiting = {
        start(leave) {
          signal?.removeEventListener('abort', giveUp);
          resolve(leave);
        },
        refuse(error) {
          signal?.removeEventListener('abort', giveUp);
          reject(error);
        },
      };
      if (signal?.aborted) throw canceled(signal);
      // A stranger, who costs one request a moment, must not slow an account that is alone.
      if (isAccount) recent.asked(owner);
      const { accepted, displaced } = queue.add(waiting, 'interactive', owner);
      displaced?.refuse(busy());
      if (!accepted) throw busy();
      signal?.addEventListener('abort', giveUp, { once: true });
      startNext();
    });

  return async ({ accountId, signal }, work) => {
    const owner = accountId === null ? 'anonymous' : String(accountId);
    const leave = await wait(owner, typeof accountId === 'number', signal);
    const since = performance.now();
    try {
      return await work();
    } finally {
      leave((performance.now() - since) / 1000);
    }
  };
}

function canceled(signal: AbortSignal | undefined): ServiceError {
  return new ServiceError('service_busy', 'the request was canceled', { cause: signal?.reason });
}
