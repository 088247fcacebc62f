import { setTimeout as sleep } from 'node:timers/promises';
import { createVisitor, type Sent, type Visitor } from '../load/visitor.js';

/** What the clients of a load have seen. */
export interface Experience {
  /** Answers of success. */
  answered: number;
  /** Requests that were sent again, by what had come back. */
  readonly repeated: Map<string, number>;
  /** What a client with retries takes for an error: the request, and how it was answered in the end. */
  readonly errors: string[];
  /** Between an answer of success and the next one, of whichever client. */
  longestGapMs: number;
  /** From the first attempt of a request to its answer. */
  longestRequestMs: number;
  lastAnswerAtMs: number;
}

export function createExperience(): Experience {
  return {
    answered: 0,
    repeated: new Map(),
    errors: [],
    longestGapMs: 0,
    longestRequestMs: 0,
    lastAnswerAtMs: performance.now(),
  };
}

const maxAttempts = 8;
const firstWaitMs = 500;
const maxWaitMs = 10_000;
/** What an object answers that another client deleted or merged meanwhile; the ledger knows whether it should be there. */
const races = /^40[49] /;

/**
 * A client as the documentation describes it: what breaks off, and what is refused for a while (429, 502, 503, 504), is sent again after
 * `Retry-After`, and after longer and longer pauses without one.
 * @param onUncertain hears of a request that is sent again although the service may have done it
 */
export function createRetryingVisitor(
  url: string,
  experience: Experience,
  onUncertain: (sent: Sent) => void,
): Visitor {
  const visitor = createVisitor(url);
  return {
    close: visitor.close,
    async ask(sent) {
      const startedAtMs = performance.now();
      let isUncertain = false;
      for (let attempt = 1; ; attempt += 1) {
        const answer = await visitor.ask(sent);
        const { outcome, headers } = answer;
        const isBroken = outcome.startsWith('failed') || /^50[24]/.test(outcome);
        if (attempt < maxAttempts && (isBroken || /^(429|503) /.test(outcome))) {
          experience.repeated.set(outcome, (experience.repeated.get(outcome) ?? 0) + 1);
          if (isBroken) {
            isUncertain = true;
            onUncertain(sent);
          }
          const askedMs = Number(headers?.['retry-after'] ?? 0) * 1000;
          await sleep(Math.max(askedMs, Math.min(maxWaitMs, firstWaitMs * 2 ** (attempt - 1))));
          continue;
        }
        note(experience, sent, { outcome, startedAtMs });
        // The first attempt may have deleted it: the client does not know, as after a broken connection without retries.
        return isUncertain && races.test(outcome) ? { ...answer, outcome: `failed: ${outcome}` } : answer;
      }
    },
  };
}

function note(
  experience: Experience,
  { method, path }: Sent,
  { outcome, startedAtMs }: { readonly outcome: string; readonly startedAtMs: number },
): void {
  const nowMs = performance.now();
  experience.longestRequestMs = Math.max(experience.longestRequestMs, nowMs - startedAtMs);
  if (/^20\d$/.test(outcome)) {
    experience.answered += 1;
    experience.longestGapMs = Math.max(experience.longestGapMs, nowMs - experience.lastAnswerAtMs);
    experience.lastAnswerAtMs = nowMs;
  } else if (!races.test(outcome)) {
    experience.errors.push(`${method} ${path.replace(/key=[^&]*/g, 'key=…')} was answered ${outcome}`);
  }
}
