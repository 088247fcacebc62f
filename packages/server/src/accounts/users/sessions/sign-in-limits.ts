import type { Clock } from '../../../core/clock.js';
import type { AttemptKind, Counter, Limiter } from '../../../service/limits/limiter.js';
import { createSignInQueue, type QueueLimits } from './sign-in-queue.js';

const hourMs = 3_600_000;

/**
 * How often passwords may be tried. An address that goes on with one mail address, and one that goes through many, waits
 * longer each time. Strangers who try one mail address from everywhere wait their turn in a queue. A browser that signed this
 * person in before has a counter of its own and stands in nobody's way, nor anybody in its: nobody locks somebody else out.
 * All is counted in the database, for all services on it together.
 */
export type SignInLimits = ReturnType<typeof createSignInLimits>;

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
const usualQueueLimits: QueueLimits = {
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
  readonly clock: Clock;
  readonly attempts: Limiter;
}

export function createSignInLimits({ attempts, clock }: SignInLimitsDeps, queueLimits = usualQueueLimits) {
  const byEmail = createSignInQueue(queueLimits, { clock, limiter: attempts });
  return {
    /** Counts an attempt and answers what to do when it was none; it may wait for its turn. Throws `too_many_requests`. */
    async begin({ emailKey, site, device, isKnownSite, signal }: SignInAttempt) {
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
      const taken = isQueued ? [...counted, { of: queueLimits, name: emailKey }] : counted;
      const success = attempts.settling({
        givenBack: taken,
        forgotten: device === null ? [own] : [own, known],
      });
      return {
        /** It was no guess. */
        giveBack: () => attempts.giveBack(...taken),
        /** For the unit that lets the user in; `succeeded` says that it has happened. */
        succeeding: success.statements,
        succeeded: success.settled,
      };
    },
    /** Refuses whoever waits: the service stops. */
    close: () => byEmail.close(),
  };
}
