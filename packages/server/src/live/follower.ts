import type { Change } from './change.js';

/** A subscriber of an account's changes, with those it has not received yet. */
export interface Follower {
  add(changes: readonly Change[]): void;
  /** What waits, or the first that comes within the time; nothing else. */
  take(withinMs: number, signal: AbortSignal): Promise<readonly Change[]>;
}

/** Of a page that reads slower than things change; it reads its lists again instead. */
const maxPending = 1000;

export function createFollower(): Follower {
  let pending: Change[] = [];
  let wake: (() => void) | null = null;
  return {
    add(changes) {
      if (changes.length === 0) return;
      pending =
        pending.length + changes.length > maxPending ? [{ kind: 'refetch' }] : [...pending, ...changes];
      wake?.();
    },

    async take(withinMs, signal) {
      if (pending.length === 0 && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const end = () => {
            wake = null;
            clearTimeout(timer);
            signal.removeEventListener('abort', end);
            resolve();
          };
          const timer = setTimeout(end, withinMs);
          wake = end;
          signal.addEventListener('abort', end);
        });
      }
      const taken = pending;
      pending = [];
      return taken;
    },
  };
}
