import { hash, verify } from '@node-rs/argon2';
import { ServiceError } from '../../errors/service-error.js';

/**
 * Argon2id (RFC 9106) with 19 MiB, two passes and one lane: the first choice of OWASP's Password Storage Cheat Sheet. Some 30 ms
 * of a thread of libuv's pool.
 */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export interface HashOptions {
  /** Whether it is asked by somebody who is known: a reserve of places, and the next turn. */
  readonly isKnown?: boolean;
}

export interface PasswordHashes {
  /** Throws `service_busy` when too many wait. */
  make(password: string, options?: HashOptions): Promise<string>;
  /** Whether it is the password. Takes as long without a hash, where it never is. */
  check(password: string, hash: string | null, options?: HashOptions): Promise<boolean>;
}

export interface HashLimits {
  /** At work at the same time, 19 MiB each; libuv's pool has four threads, and the disk needs some of them. */
  readonly concurrency: number;
  /** Above so many that wait, one more is refused. */
  readonly maxWaiting: number;
  /** The same of those who are known, beside the others. */
  readonly maxKnownWaiting: number;
}

export const usualHashLimits: HashLimits = { concurrency: 2, maxWaiting: 100, maxKnownWaiting: 100 };

/** Makes the hash that stands for people who are not there. */
export async function createPasswordHashes(limits: HashLimits): Promise<PasswordHashes> {
  const nobodys = await hash('the password of nobody', parameters);
  const known: (() => void)[] = [];
  const strangers: (() => void)[] = [];
  let atWork = 0;
  const takeTurn = async <T>(work: () => Promise<T>, { isKnown = false }: HashOptions = {}): Promise<T> => {
    if (atWork >= limits.concurrency) {
      const waiting = isKnown ? known : strangers;
      if (waiting.length >= (isKnown ? limits.maxKnownWaiting : limits.maxWaiting)) {
        throw new ServiceError('service_busy', 'too many people sign in at once; try again shortly');
      }
      // Whoever ends hands the place over.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      atWork += 1;
    }
    try {
      return await work();
    } finally {
      const next = known.shift() ?? strangers.shift();
      if (next) next();
      else atWork -= 1;
    }
  };
  return {
    make: (password, options) => takeTurn(() => hash(spell(password), parameters), options),
    async check(password, stored, options) {
      const isRight = await takeTurn(() => verify(stored ?? nobodys, spell(password)), options);
      return isRight && stored !== null;
    },
  };
}

/** The same password typed on another keyboard may come as other code points (NIST SP 800-63B, 5.1.1.2). */
function spell(password: string): string {
  return password.normalize('NFKC');
}
