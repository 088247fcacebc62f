import type { Clock } from './clock.js';

/** A clock that follows another machine's. */
export interface AnchoredClock {
  readonly clock: Clock;
  /**
   * @param epochMs What the other clock showed, in milliseconds since 1970.
   * @param askedMs, answeredMs When it was asked and had answered, by `performance.now()`.
   */
  anchor(epochMs: number, askedMs: number, answeredMs: number): void;
}

/**
 * Between two anchors it runs with the monotonic clock of this process, so that a step of this machine's wall clock moves nothing. The
 * error is at most half of the round trip. Before the first anchor it is the wall clock.
 */
export function createAnchoredClock(): AnchoredClock {
  let offsetMs: number | undefined;
  return {
    clock: () => (offsetMs === undefined ? Date.now() : Math.round(performance.now() + offsetMs)),
    anchor(epochMs, askedMs, answeredMs) {
      offsetMs = epochMs - (askedMs + answeredMs) / 2;
    },
  };
}
