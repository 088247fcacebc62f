import type { Change } from './change.js';

/** A subscriber of an account's changes, with those it has not received yet. */
export type Follower = ReturnType<typeof createFollower>;

/** Of a page that reads slower than things change; it reads its lists again instead. */
const maxPending = 1000;

export function createFollower() {
  let pending: Change[] = [];
  let wake: (() => void) | null = null;
  return {
    add(changes: readonly Change[]) {
      if (changes.length === 0) return;
      pending =
        pending.length + changes.length > maxPending ? [{ kind: 'refetch' }] : [...pending, ...changes];
      wake?.();
    },

    /** What waits, or the first that comes within the time; nothing else. */
    async take(withinMs: number, signal: AbortSignal): Promise<readonly Change[]> {
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
