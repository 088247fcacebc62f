import type { Compilable } from 'kysely';
import type { Clock } from '../../../core/clock.js';
import type { AttemptKind, Attempts, Counter } from '../../../service/limits/attempts.js';
import { type BucketLimits, createTokenBuckets } from '../../../service/limits/token-buckets.js';
import type { Database } from '../../../storage/database.js';
import { createSignInQueue, type QueueLimits } from './sign-in-queue.js';

const hourMs = 3_600_000;

/**
 * How often passwords may be tried. An address that goes on with one mail address, and one that goes through many, waits
 * longer each time. Strangers who try one mail address from everywhere wait their turn in a queue. A browser that signed this
 * person in before has a counter of its own and stands in nobody's way, nor anybody in its: nobody locks somebody else out.
 * All is counted in the database, for all services on it together.
 */
export type SignInLimits = ReturnType<typeof createSignInLimits>;

interface BegunSignIn {
  /** It was no guess. */
  giveBack(): Promise<void>;
  /** For the unit that lets the user in; `succeeded` says that it has happened. */
  readonly succeeding: readonly Compilable[];
  succeeded(): void;
}

interface SignInAttempt {
  readonly emailKey: string;
  /** One site's: of IPv6 a network. */
  readonly site: string;
  /** Of a browser that this person is known to sign in from. */
  readonly device: string | null;
  /** Whether this person is signed in from there already. */
  readonly isKnownSite: boolean;
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/**
 * 17,280 strangers' guesses a day at most: a password that is accepted resists a hundred million. Of two or three who
 * poll, each and whoever else comes has a turn within the wait.
 */
const usualQueueLimits: QueueLimits & BucketLimits = {
  kind: 'sign-in turn',
  free: 20,
  intervalMs: 5000,
  maxWaitMs: 30_000,
  maxWaiting: 100,
  maxWaitingInAll: 1000,
};

const waits = { firstWaitMs: 1000, maxWaitMs: 900_000, forgetMs: hourMs };
const byBoth: AttemptKind = { kind: 'sign-in by site and address', free: 5, ...waits };
const byDevice: AttemptKind = { kind: 'sign-in by device', free: 5, ...waits };
const bySite: AttemptKind = { kind: 'sign-in by site', free: 30, ...waits };

interface SignInLimitsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly attempts: Attempts;
}

export function createSignInLimits(deps: SignInLimitsDeps, queueLimits = usualQueueLimits) {
  const { attempts, clock } = deps;
  const buckets = createTokenBuckets(queueLimits, deps);
  const byEmail = createSignInQueue(queueLimits, { clock, buckets });
  return {
    /** Counts an attempt and answers what to do when it was none; it may wait for its turn. Throws `too_many_requests`. */
    async begin({ emailKey, site, device, isKnownSite, signal }: SignInAttempt): Promise<BegunSignIn> {
      const own: Counter = { of: byBoth, name: `${site} ${emailKey}` };
      const known: Counter = { of: byDevice, name: `${device} ${emailKey}` };
      const counted = device === null ? [{ of: bySite, name: site }, own] : [known];
      await attempts.begin(...counted);
      const isQueued = device === null && !isKnownSite;
      if (isQueued) {
        await byEmail.enter(emailKey, site, signal).catch(async (error: unknown) => {
          await attempts.giveBack(...counted);
          throw error;
        });
      }
      const turn = () => (isQueued ? [buckets.givingBack(emailKey)] : []);
      const success = attempts.settling({
        givenBack: counted,
        forgotten: device === null ? [own] : [own, known],
      });
      return {
        async giveBack() {
          const { statements, settled } = attempts.settling({ givenBack: counted, forgotten: [] });
          await deps.database.write([...statements, ...turn()]);
          settled();
        },
        get succeeding() {
          return [...success.statements, ...turn()];
        },
        succeeded: () => success.settled(),
      };
    },
    /** Refuses whoever waits: the service stops. */
    close: () => byEmail.close(),
  };
}
