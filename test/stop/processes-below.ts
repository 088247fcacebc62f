import { readdirSync, readFileSync } from 'node:fs';

interface SeenProcess {
  readonly pid: number;
  /** With the pid, it names a process for good: pids are used again. */
  readonly startedAt: string;
}

/** All processes that a process started, and those that they started. */
export function processesBelow(ancestor: number): readonly SeenProcess[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);
  const below = (parent: number): readonly SeenProcess[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(ancestor);
}

/** Those that still run. */
export function stillRunning(processes: readonly SeenProcess[]): readonly SeenProcess[] {
  return processes.filter(({ pid, startedAt }) => readStat(pid)?.startedAt === startedAt);
}

/** proc(5): fields 3, 4 and 22 stand behind the name, which may hold anything. Null for one that has ended. */
function readStat(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, parent, startedAt = ''] = [fields[0], Number(fields[1]), fields[19]];
    return state === 'Z' ? null : { pid, parent, startedAt };
  } catch {
    return null;
  }
}
