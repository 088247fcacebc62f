import { hash, verify } from '@node-rs/argon2';
import { createFairSemaphore } from '../../../core/fair-semaphore.js';

/**
 * Argon2id (RFC 9106) with 19 MiB, two passes and one lane: the first choice of OWASP's Password Storage Cheat Sheet. Some 30 ms
 * of a thread of libuv's pool.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

interface HashOptions {
  /** Of the user, where known: accounts take turns with each other, and with all unknown users. */
  readonly accountId?: number | undefined;
}

export interface PasswordHashes {
  /** Throws `service_busy` when too many wait. */
  make(password: string, options?: HashOptions): Promise<string>;
  /** Whether it is the password. Takes as long without a hash, where it never is. */
  check(password: string, hash: string | null, options?: HashOptions): Promise<boolean>;
}

interface HashLimits {
  /** At work at the same time, 19 MiB each; libuv's pool has four threads, and the disk needs some of them. */
  readonly concurrency: number;
  /** Above it, the account that has most waiting is refused. */
  readonly maxWaiting: number;
}

export const usualHashLimits: HashLimits = { concurrency: 2, maxWaiting: 200 };

/** Also makes the hash that is checked for users who do not exist. */
export async function createPasswordHashes(limits: HashLimits): Promise<PasswordHashes> {
  const dummyHash = await hash('the password of nobody', parameters);
  const withPermit = createFairSemaphore({
    permits: limits.concurrency,
    maxPerAccount: limits.concurrency,
    maxWaiting: limits.maxWaiting,
    refusal: 'too many people sign in at once; try again shortly',
  });
  return {
    make: (password, { accountId = null } = {}) =>
      withPermit({ accountId }, () => hash(spell(password), parameters)),
    async check(password, stored, { accountId = null } = {}) {
      const isRight = await withPermit({ accountId }, () => verify(stored ?? dummyHash, spell(password)));
      return isRight && stored !== null;
    },
  };
}

/** The same password typed on another keyboard may come as other code points (NIST SP 800-63B, 5.1.1.2). */
function spell(password: string): string {
  return password.normalize('NFKC');
}
