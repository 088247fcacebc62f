import { JobQueue } from '@lynceus/engine';
import { ServiceError } from '../../core/service-error.js';

export interface PasswordSemaphoreOptions {
  /** At work at the same time. */
  readonly concurrency: number;
  /** Above so many that wait, whoever has most of them waiting is refused. */
  readonly maxWaiting: number;
  /** For who is refused. */
  readonly refusal: string;
}

/**
 * Work on passwords, which takes long: accounts take turns, and all who are not known count as one of them. So neither strangers
 * keep users waiting, nor the users of one account those of others, or whoever signs in from another browser. Throws `service_busy`.
 * @param accountId of whoever is known; null: they are not
 */
export type WithPasswordPermit = <T>(accountId: number | null, work: () => Promise<T>) => Promise<T>;

interface Waiting {
  start(): void;
  refuse(error: ServiceError): void;
}

export function createPasswordSemaphore(options: PasswordSemaphoreOptions): WithPasswordPermit {
  const { concurrency, maxWaiting, refusal } = options;
  const queue = new JobQueue<Waiting>({ maxEntries: maxWaiting });
  let atWork = 0;
  const busy = () => new ServiceError('service_busy', refusal);

  const startNext = () => {
    while (atWork < concurrency) {
      const next = queue.take();
      if (!next) return;
      atWork += 1;
      next.start();
    }
  };
  const wait = (owner: string) =>
    new Promise<void>((start, refuse) => {
      const { accepted, displaced } = queue.add({ start, refuse }, 'interactive', owner);
      displaced?.refuse(busy());
      if (!accepted) throw busy();
      startNext();
    });

  return async (accountId, work) => {
    const owner = accountId === null ? 'strangers' : String(accountId);
    await wait(owner);
    try {
      return await work();
    } finally {
      atWork -= 1;
      queue.ended(owner);
      startNext();
    }
  };
}
