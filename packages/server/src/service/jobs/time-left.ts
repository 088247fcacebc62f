/** What a stage did in the last while tells what it does next: what is kept already goes fast, and then it does not. */
const lookBackMs = 20_000;

const leastMs = 1000;

interface Seen {
  readonly atMs: number;
  readonly done: number;
}

interface StageProgress {
  readonly stage: string;
  readonly done: number;
  /** Null while nobody knows. */
  readonly total: number | null;
}

/** Answers the seconds that a stage will take yet; undefined while it has not done enough to tell. */
export function createTimeLeft(nowMs: () => number): (progress: StageProgress) => number | undefined {
  let stage = '';
  let seen: Seen[] = [];
  return (progress) => {
    const atMs = nowMs();
    if (progress.stage !== stage) [stage, seen] = [progress.stage, []];
    seen = [...seen.filter((before) => atMs - before.atMs <= lookBackMs), { atMs, done: progress.done }];
    const [first] = seen;
    if (progress.total === null || !first || atMs - first.atMs < leastMs || progress.done <= first.done)
      return undefined;
    const perStepMs = (atMs - first.atMs) / (progress.done - first.done);
    return Math.ceil((perStepMs * Math.max(0, progress.total - progress.done)) / 1000);
  };
}
