import type { Interval } from './timeline.js';

interface KeyedIntervals<Key> {
  /** Nothing where there are as many keys as there may be. */
  add(key: Key, interval: Interval): void;
  /** By their first appearance. */
  list(): readonly (readonly [key: Key, intervals: readonly Interval[]])[];
  /** Whether something was left out. */
  readonly isCut: boolean;
}

interface KeyedIntervalsOptions {
  /** Intervals that are so close become one. */
  readonly gapSeconds: number;
  readonly maxKeys: number;
  readonly maxIntervals: number;
}

/** When something was seen, by what it is, in bounded memory. */
export function createKeyedIntervals<Key>(options: KeyedIntervalsOptions): KeyedIntervals<Key> {
  const { gapSeconds, maxKeys, maxIntervals } = options;
  const byKey = new Map<Key, Interval[]>();
  let isCut = false;
  const united = (intervals: readonly Interval[]): Interval[] => {
    const all = uniteIntervals(intervals, gapSeconds);
    isCut ||= all.length > maxIntervals;
    return all.slice(0, maxIntervals);
  };
  return {
    get isCut() {
      return isCut;
    },
    add(key, interval) {
      const known = byKey.get(key);
      if (known === undefined) {
        if (byKey.size >= maxKeys) isCut = true;
        else byKey.set(key, [interval]);
        return;
      }
      known.push(interval);
      if (known.length > 2 * maxIntervals) byKey.set(key, united(known));
    },
    list() {
      const lists = [...byKey].map(([key, intervals]) => [key, united(intervals)] as const);
      const begins = (intervals: readonly Interval[]) => intervals[0]?.startSeconds ?? 0;
      return lists.sort(([, a], [, b]) => begins(a) - begins(b));
    },
  };
}

/** The same time in intervals that neither overlap nor come closer than the gap, in their order. */
export function uniteIntervals(intervals: readonly Interval[], gapSeconds: number): Interval[] {
  const united: Interval[] = [];
  for (const next of [...intervals].sort((a, b) => a.startSeconds - b.startSeconds)) {
    const last = united.at(-1);
    if (last === undefined || next.startSeconds > last.endSeconds + gapSeconds) {
      united.push(next);
    } else if (next.endSeconds > last.endSeconds) {
      united[united.length - 1] = { ...last, endSeconds: next.endSeconds };
    }
  }
  return united;
}
