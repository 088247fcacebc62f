import type { Clock } from '../../core/clock.js';
import { createAttempts } from './attempts.js';
import { createSignInQueue, type QueueLimits } from './sign-in-queue.js';

const hourMs = 3_600_000;

/**
 * How often passwords may be tried. An address that goes on with one mail address, and one that goes through many, waits
 * longer each time. Strangers who try one mail address from everywhere wait their turn in a queue. A browser that signed this
 * person in before has a counter of its own and stands in nobody's way, nor anybody in its: nobody locks somebody else out.
 */
export interface SignInLimits {
  /** Counts an attempt and answers what to do when it was none; it may wait for its turn. Throws `too_many_requests`. */
  begin(attempt: SignInAttempt): Promise<{ succeed(): void; giveBack(): void }>;
  /** Refuses whoever waits: the service stops. */
  close(): void;
}

export interface SignInAttempt {
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
export const usualQueueLimits: QueueLimits = {
  free: 20,
  intervalMs: 5000,
  maxWaitMs: 30_000,
  maxWaiting: 100,
  maxWaitingInAll: 1000,
};

const byBothLimits = { free: 5, firstWaitMs: 1000, maxWaitMs: 900_000, forgetMs: hourMs };

export function createSignInLimits(clock: Clock, queueLimits = usualQueueLimits): SignInLimits {
  const byBoth = createAttempts(byBothLimits, clock);
  const byDevice = createAttempts(byBothLimits, clock);
  const bySite = createAttempts({ free: 30, firstWaitMs: 1000, maxWaitMs: 900_000, forgetMs: hourMs }, clock);
  const byEmail = createSignInQueue(queueLimits, clock);
  return {
    async begin({ emailKey, site, device, isKnownSite, signal }) {
      const own = { attempts: byBoth, name: `${site} ${emailKey}` };
      const known = { attempts: byDevice, name: `${device} ${emailKey}` };
      const counted = device === null ? [{ attempts: bySite, name: site }, own] : [known];
      for (const { attempts, name } of counted) attempts.check(name);
      for (const { attempts, name } of counted) attempts.count(name);
      const isQueued = device === null && !isKnownSite;
      const giveBackCounted = () => {
        for (const { attempts, name } of counted) attempts.giveBack(name);
      };
      if (isQueued) {
        await byEmail.enter(emailKey, site, signal).catch((error: unknown) => {
          giveBackCounted();
          throw error;
        });
      }
      const giveBack = () => {
        giveBackCounted();
        if (isQueued) byEmail.giveBack(emailKey);
      };
      return {
        giveBack,
        succeed() {
          giveBack();
          for (const { attempts, name } of [own, known]) attempts.forget(name);
        },
      };
    },
    close: () => byEmail.close(),
  };
}
