import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JobQueue } from './job-queue.js';
import { type Priority, priorities } from './priority.js';

interface Entry {
  readonly owner: string;
  readonly priority: Priority;
}

const owner = fc.constantFrom('a', 'b', 'c', 'd');
const priority = fc.constantFrom(...priorities);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), owner, priority }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), owner }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('give up' as const), at: fc.nat(7) }) },
);
const limits = fc.record({
  maxEntries: fc.integer({ min: 1, max: 8 }),
  maxRunningPerOwner: fc.integer({ min: 1, max: 3 }),
});

/** The expected queued and running entries. */
interface State {
  readonly waiting: readonly Entry[];
  readonly running: ReadonlyMap<string, number>;
}

interface Checks {
  readonly added?: (entry: Entry, outcome: { accepted: boolean; displaced?: Entry }, before: State) => void;
  readonly taken?: (entry: Entry | undefined, before: State) => void;
}

/** Adds, takes, ends and aborts in random order, and calls the checks that `of` creates for each run. */
function everyRun(of: (limits: { maxEntries: number; maxRunningPerOwner: number }) => Checks): void {
  const run = fc.property(fc.array(step, { maxLength: 80 }), limits, (steps, options) => {
    const checks = of(options);
    const { maxEntries, maxRunningPerOwner } = options;
    const queue = new JobQueue<Entry>({ maxEntries, maxRunningOf: () => maxRunningPerOwner });
    const runs: { readonly owner: string; end(): void }[] = [];
    let waiting: readonly Entry[] = [];
    const running = new Map<string, number>();
    const without = (gone: Entry | undefined) => waiting.filter((entry) => entry !== gone);
    for (const each of steps) {
      if (each.kind === 'add') {
        const entry = { owner: each.owner, priority: each.priority };
        const outcome = queue.add(entry, entry.priority, entry.owner);
        checks.added?.(entry, outcome, { waiting, running });
        waiting = outcome.accepted ? [...without(outcome.displaced), entry] : waiting;
      } else if (each.kind === 'take') {
        const taken = queue.take();
        const entry = taken?.entry;
        checks.taken?.(entry, { waiting, running });
        waiting = without(entry);
        if (!taken || !entry) continue;
        running.set(entry.owner, (running.get(entry.owner) ?? 0) + 1);
        runs.push({ owner: entry.owner, end: () => taken.end() });
      } else if (each.kind === 'end') {
        const count = running.get(each.owner) ?? 0;
        if (count === 0) continue;
        running.set(each.owner, count - 1);
        const [ended] = runs.splice(
          runs.findIndex(({ owner: name }) => name === each.owner),
          1,
        );
        ended?.end();
      } else {
        const entry = waiting[each.at];
        if (entry) expect(queue.remove(entry)).toBe(true);
        waiting = without(entry);
      }
      expect(queue.length).toBe(waiting.length);
    }
  });
  fc.assert(run, { numRuns: 1000 });
}

const countOf = (entries: readonly Entry[], name: string) =>
  entries.filter((entry) => entry.owner === name).length;

test('no owner has more running entries than allowed, and no entry waits that could run', () => {
  everyRun(({ maxRunningPerOwner }) => ({
    taken: (entry, { waiting, running }) => {
      const free = waiting.filter((each) => (running.get(each.owner) ?? 0) < maxRunningPerOwner);
      if (entry) expect(free).toContain(entry);
      else expect(free).toEqual([]);
    },
  }));
});

test('whoever waits in a class, and may have more under way, has a turn in it before another has two', () => {
  everyRun(({ maxRunningPerOwner }) => {
    /** The turns of other owners that each owner waited for, by class. */
    const passedBy = new Map<string, readonly string[]>();
    return {
      taken: (entry, { waiting, running }) => {
        for (const each of priorities) {
          for (const name of ['a', 'b', 'c', 'd']) {
            const key = `${each} ${name}`;
            const isWaiting = waiting.some((other) => other.priority === each && other.owner === name);
            const isHeldBack = (running.get(name) ?? 0) >= maxRunningPerOwner;
            if (!isWaiting || isHeldBack || (entry?.priority === each && entry.owner === name)) {
              passedBy.delete(key);
            } else if (entry?.priority === each) {
              const before = passedBy.get(key) ?? [];
              expect(before).not.toContain(entry.owner);
              passedBy.set(key, [...before, entry.owner]);
            }
          }
        }
      },
    };
  });
});

test('with nothing waiting that could be taken, a newcomer that could be is never refused', () => {
  everyRun(({ maxRunningPerOwner }) => ({
    added: (entry, { accepted }, { waiting, running }) => {
      const mayRun = (name: string) => (running.get(name) ?? 0) < maxRunningPerOwner;
      if (mayRun(entry.owner) && !waiting.some((each) => mayRun(each.owner))) expect(accepted).toBe(true);
    },
  }));
});

test('with more than half of the queue one owner neither keeps out another nor takes of its entries', () => {
  everyRun(({ maxEntries }) => ({
    added: (entry, { accepted, displaced }, { waiting }) => {
      const share = Math.ceil(maxEntries / 2);
      const above = ['a', 'b', 'c', 'd'].find((name) => countOf(waiting, name) > share);
      if (above !== undefined && above !== entry.owner) expect(accepted).toBe(true);
      if (above !== undefined && displaced) expect(displaced.owner).toBe(above);
      // Alone it may fill all of the queue.
      if (waiting.length < maxEntries) expect([accepted, displaced]).toEqual([true, undefined]);
    },
  }));
});
