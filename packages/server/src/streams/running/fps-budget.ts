/**
 * What the streams of this service may have analysed together. Where it is less than they want, each gets the same share of what
 * it wants. The share follows load as TCP follows congestion: additive increase, multiplicative decrease (Chiu and Jain, 1989).
 */
export type FpsBudget = ReturnType<typeof createFpsBudget>;

/** The share of one stream. */
export interface FpsShare {
  /** Whether a frame of this moment may be analysed; counts it. */
  take(atMs: number): boolean;
  /** How long an analysed frame waited for an inference process. */
  waited(durationMs: number): void;
  leave(): void;
}

export const lookMs = 250;

const decrease = 0.7;
const increase = 0.02;
const smallestShare = 0.02;
/** Cores may be few for other reasons than streams. */
const smallestForCores = 0.2;
/** Looks after a decrease until it has shown its effect: frames that waited before are analysed by then. */
const effectLooks = 4;
/** Frames come a little early and late; one that is early by less than this part of an interval counts as in time. */
const slack = 0.25;

/** @param maxFps analysed frames a second of all streams together */
export function createFpsBudget({ maxFps }: { readonly maxFps: number }) {
  const wanted = new Map<object, number>();
  let wantedFps = 0;
  let loadShare = 1;
  let isLate = false;
  let looksSinceDecrease = effectLooks;
  const shareNow = () => loadShare * Math.min(1, maxFps / Math.max(wantedFps, Number.MIN_VALUE));
  const sum = () => {
    wantedFps = [...wanted.values()].reduce((total, fps) => total + fps, 0);
  };

  return {
    /** What each stream gets of what it wants, from 0 to 1. */
    get share(): number {
      return shareNow();
    },
    /**
     * To be called every `lookMs`.
     * @param slowed whether requests of users waited for an inference process since the last look, or run slowly since cores are few
     */
    look({ isWaiting, isSlow = false }: { readonly isWaiting: boolean; readonly isSlow?: boolean }) {
      const isLoaded = isWaiting || isLate || (isSlow && loadShare > smallestForCores);
      isLate = false;
      looksSinceDecrease += 1;
      if (!isLoaded) loadShare = Math.min(1, loadShare + increase);
      else if (looksSinceDecrease > effectLooks) {
        looksSinceDecrease = 0;
        loadShare = Math.max(smallestShare, loadShare * decrease);
      }
    },
    /** One more stream. */
    join(fps: number): FpsShare {
      const key = {};
      wanted.set(key, fps);
      sum();
      let nextMs = Number.NEGATIVE_INFINITY;
      return {
        take(atMs) {
          const intervalMs = 1000 / (fps * shareNow());
          if (atMs < nextMs - slack * intervalMs) return false;
          // What was not used is not saved up.
          nextMs = Math.max(nextMs + intervalMs, atMs + (1 - slack) * intervalMs);
          return true;
        },
        waited(durationMs) {
          isLate ||= durationMs > 1000 / fps;
        },
        leave() {
          wanted.delete(key);
          sum();
        },
      };
    },
  };
}
