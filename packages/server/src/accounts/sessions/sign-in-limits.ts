import type { Clock } from '../../clock.js';
import { createAttempts } from './attempts.js';

const hourMs = 3_600_000;

/**
 * How often passwords may be tried. An address that goes on with one mail address, and one that goes through many, waits
 * longer each time. Strangers who try one mail address from everywhere are slowed down together, never by more than a
 * minute, and whoever is signed in from where the request comes does not stand in their queue: nobody locks somebody else out.
 */
export interface SignInLimits {
  /** Counts an attempt and answers what to do when it was none. Throws `too_many_requests`. */
  begin(attempt: SignInAttempt): { succeed(): void; giveBack(): void };
}

export interface SignInAttempt {
  readonly emailKey: string;
  /** One site's: of IPv6 a network. */
  readonly site: string;
  /** Whether this person is signed in from there already. */
  readonly isKnown: boolean;
}

export function createSignInLimits(clock: Clock): SignInLimits {
  const byBoth = createAttempts({ free: 5, firstWaitMs: 1000, maxWaitMs: 900_000, forgetMs: hourMs }, clock);
  const bySite = createAttempts({ free: 30, firstWaitMs: 1000, maxWaitMs: 900_000, forgetMs: hourMs }, clock);
  const byEmail = createAttempts({ free: 20, firstWaitMs: 1000, maxWaitMs: 60_000, forgetMs: hourMs }, clock);
  return {
    begin({ emailKey, site, isKnown }) {
      const both = `${site} ${emailKey}`;
      const counted = [
        { attempts: bySite, name: site },
        { attempts: byBoth, name: both },
        ...(isKnown ? [] : [{ attempts: byEmail, name: emailKey }]),
      ];
      for (const { attempts, name } of counted) attempts.check(name);
      for (const { attempts, name } of counted) attempts.count(name);
      const giveBack = () => {
        for (const { attempts, name } of counted) attempts.giveBack(name);
      };
      return {
        giveBack,
        succeed() {
          giveBack();
          byBoth.forget(both);
        },
      };
    },
  };
}
