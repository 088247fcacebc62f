/** When something is to be seen in a film, by what it is. */
export interface SeenInterval {
  readonly key: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
}

export interface TimelineScore {
  /** Of the planted seconds, those that are reported under their key, 0 to 1. */
  readonly recall: number;
  /** Of the reported seconds, those at which the key is planted, 0 to 1; 1 where nothing is reported. */
  readonly precision: number;
  /** Intervals that were planted, and those of them that were found at all. */
  readonly planted: number;
  readonly found: number;
}

/**
 * Reported intervals against planted ones, by seconds.
 * @param toleranceSeconds by which a reported interval may begin earlier and end later: half the time between two frames
 */
export function scoreTimeline(
  planted: readonly SeenInterval[],
  reported: readonly SeenInterval[],
  toleranceSeconds: number,
): TimelineScore {
  const lengthOf = (intervals: readonly SeenInterval[]) =>
    intervals.reduce((sum, { startSeconds, endSeconds }) => sum + Math.max(0, endSeconds - startSeconds), 0);
  const covered = (interval: SeenInterval, by: readonly SeenInterval[], more: number) =>
    coveredSeconds(
      interval,
      by
        .filter(({ key }) => key === interval.key)
        .map(({ startSeconds, endSeconds }) => [startSeconds - more, endSeconds + more] as const),
    );
  const plantedSeconds = lengthOf(planted);
  const reportedSeconds = lengthOf(reported);
  const recalled = planted.map((each) => covered(each, reported, toleranceSeconds));
  const right = reported.map((each) => covered(each, planted, toleranceSeconds));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    recall: plantedSeconds === 0 ? 1 : sum(recalled) / plantedSeconds,
    precision: reportedSeconds === 0 ? 1 : sum(right) / reportedSeconds,
    planted: planted.length,
    found: recalled.filter((seconds) => seconds > 0).length,
  };
}

/** Seconds of an interval that lie in any of the others. */
function coveredSeconds(
  { startSeconds, endSeconds }: SeenInterval,
  others: readonly (readonly [start: number, end: number])[],
): number {
  let [at, covered] = [startSeconds, 0];
  for (const [start, end] of [...others].sort(([a], [b]) => a - b)) {
    const from = Math.max(at, start);
    const to = Math.min(endSeconds, end);
    if (to <= from) continue;
    covered += to - from;
    at = to;
  }
  return covered;
}
