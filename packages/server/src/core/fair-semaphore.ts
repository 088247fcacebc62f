import { JobQueue } from '@lynceus/engine';
import { ServiceError } from './service-error.js';

export interface PermitRequest {
  readonly accountId: number;
  /** Ends the wait. */
  readonly signal: AbortSignal;
}

/** Without an account: the caller is not signed in. All such callers count as one account. */
interface AnyPermitRequest extends Partial<Pick<PermitRequest, 'signal'>> {
  readonly accountId: number | null;
}

/** Limits how much work runs at once; the rest waits, and accounts take turns. Throws `service_busy` where too much waits. */
export type WithPermit = <T>(request: AnyPermitRequest, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  start(): void;
  refuse(error: ServiceError): void;
}

export interface FairSemaphoreOptions {
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
}

export function createFairSemaphore(options: FairSemaphoreOptions): WithPermit {
  const { permits, maxWaiting, refusal, maxPerAccount = Math.max(1, Math.floor(permits / 2)) } = options;
  const queue = new JobQueue<Waiting>({ maxEntries: maxWaiting, maxRunningPerOwner: maxPerAccount });
  const busy = () => new ServiceError('service_busy', refusal);
  let free = permits;

  const startNext = () => {
    while (free > 0) {
      const next = queue.take();
      if (!next) return;
      free -= 1;
      next.start();
    }
  };

  const wait = (owner: string, signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        if (queue.remove(waiting)) reject(canceled(signal));
      };
      const waiting: Waiting = {
        start() {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
        refuse(error) {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      if (signal?.aborted) throw canceled(signal);
      const { accepted, displaced } = queue.add(waiting, 'interactive', owner);
      displaced?.refuse(busy());
      if (!accepted) throw busy();
      signal?.addEventListener('abort', leave, { once: true });
      startNext();
    });

  return async ({ accountId, signal }, work) => {
    const owner = accountId === null ? 'anonymous' : String(accountId);
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

function canceled(signal: AbortSignal | undefined): ServiceError {
  return new ServiceError('service_busy', 'the request was canceled', { cause: signal?.reason });
}
