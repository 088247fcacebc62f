import { setTimeout as sleep } from 'node:timers/promises';
import type { Job } from './job.js';

export interface JobWatcher {
  /** The job at the next look, or at the last one while this watcher has not seen it. Null once the signal has fired. */
  next(): Promise<Job | null>;
}

interface JobWatchOptions {
  readonly readJob: (accountId: number, id: string) => Promise<Job>;
  /** Between two looks; another service may be working on the job, so the database is asked. */
  readonly lookMs: number;
}

interface Watched {
  look: { readonly job: Promise<Job> };
  watchers: number;
  /** Those who have seen this look. */
  readonly waiting: Set<() => void>;
  readonly ended: AbortController;
}

/** The progress of a job, while it is watched: one query of the database for all watchers. */
export function createJobWatch({ readJob, lookMs }: JobWatchOptions) {
  const watched = new Map<string, Watched>();

  const begin = (accountId: number, id: string): Watched => {
    const lookNow = () => {
      const job = readJob(accountId, id);
      // Watchers get the error; a poll without watchers may fail unnoticed.
      job.catch(() => undefined);
      return { job };
    };
    const state: Watched = {
      look: lookNow(),
      watchers: 0,
      waiting: new Set(),
      ended: new AbortController(),
    };
    const { waiting, ended } = state;
    const keepLooking = async () => {
      while (!ended.signal.aborted) {
        await state.look.job.catch(() => undefined);
        await sleep(lookMs, undefined, { signal: ended.signal }).catch(() => undefined);
        if (ended.signal.aborted) return;
        state.look = lookNow();
        for (const wake of waiting) wake();
        waiting.clear();
      }
    };
    void keepLooking();
    return state;
  };

  return {
    watch(accountId: number, id: string, signal: AbortSignal): JobWatcher {
      const key = `${accountId} ${id}`;
      const state = watched.get(key) ?? begin(accountId, id);
      watched.set(key, state);
      state.watchers += 1;
      let wake: () => void = () => undefined;
      const leave = () => {
        state.waiting.delete(wake);
        wake();
        state.watchers -= 1;
        if (state.watchers > 0) return;
        state.ended.abort();
        watched.delete(key);
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });

      let seen: Watched['look'] | null = null;
      return {
        async next() {
          if (seen === state.look && !signal.aborted) {
            await new Promise<void>((resolve) => {
              wake = resolve;
              state.waiting.add(resolve);
            });
          }
          seen = state.look;
          const job = signal.aborted ? null : await seen.job;
          return signal.aborted ? null : job;
        },
      };
    },
  };
}
