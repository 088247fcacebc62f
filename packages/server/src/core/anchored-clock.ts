/** A clock that follows another machine's. */
export type AnchoredClock = ReturnType<typeof createAnchoredClock>;

/**
 * Between two anchors it runs with the monotonic clock of this process, so that a step of this machine's wall clock moves nothing. The
 * error is at most half of the round trip. Before the first anchor it is the wall clock.
 */
export function createAnchoredClock() {
  let offsetMs: number | undefined;
  return {
    clock: () => (offsetMs === undefined ? Date.now() : Math.round(performance.now() + offsetMs)),
    /**
     * @param epochMs What the other clock showed, in milliseconds since 1970.
     * @param askedMs, answeredMs When it was asked and had answered, by `performance.now()`.
     */
    anchor(epochMs: number, askedMs: number, answeredMs: number) {
      offsetMs = epochMs - (askedMs + answeredMs) / 2;
    },
  };
}
