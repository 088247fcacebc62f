const windowMs = 10_000;

/** Frames a second over the last seconds. */
export function createFrameRate(nowMs: () => number = () => performance.now()) {
  const startedMs = nowMs();
  let times: number[] = [];
  const forget = (now: number) => {
    times = times.filter((time) => time > now - windowMs);
  };
  return {
    add() {
      const now = nowMs();
      forget(now);
      times.push(now);
    },
    read(): number {
      const now = nowMs();
      forget(now);
      return times.length / (Math.max(1000, Math.min(windowMs, now - startedMs)) / 1000);
    },
  };
}
