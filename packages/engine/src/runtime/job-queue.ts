import { FairQueue, type Run } from './fair-queue.js';
import { byPriority, type Priority, priorities } from './priority.js';

export interface JobQueueOptions {
  /** Entries that may wait, over all priorities. */
  readonly maxEntries: number;
  /** Entries of an owner that may run at once, one at least; no limit unless given. May change at any time. */
  readonly maxRunningOf?: (owner: string) => number;
}

/**
 * The queue of inference jobs: higher classes first; within one, owners take turns by what their entries cost (`FairQueue`), and an
 * owner's entries are first in, first out. An owner at its limit of running entries is skipped until one of them ends.
 *
 * The queue is bounded. One owner alone may fill it; where it is full,
 * 1. an owner with more than half of the entries is displaced by any other, whatever the classes, and its own newcomer
 *    displaces only its own latest entry of a lower class;
 * 2. else a newcomer displaces the latest entry of a lower class, else of the owner that has the most entries
 *    in its own class and more than the newcomer's;
 * 3. else a newcomer that could run at once displaces an entry that could not, since its owner has as many
 *    running as it may.
 * So a user is never refused because of a queue of files, nor an account because of another account's many requests,
 * and no job while a process is free.
 */
export class JobQueue<Entry> {
  readonly #options: JobQueueOptions;
  readonly #lanes = byPriority(() => new FairQueue<Entry>());
  /** Running entries by owner. */
  readonly #running = new Map<string, number>();

  constructor(options: JobQueueOptions) {
    this.#options = options;
  }

  get length(): number {
    return priorities.reduce((sum, priority) => sum + this.#lanes[priority].length, 0);
  }

  /** Entries that could run if there were a process for each: without those behind the limit of their owner. */
  get takeable(): number {
    return [...this.#lengths()].reduce(
      (sum, [owner, entries]) => sum + Math.min(entries, Math.max(0, this.#capacityOf(owner))),
      0,
    );
  }

  depths(): Readonly<Record<Priority, number>> {
    return byPriority((priority) => this.#lanes[priority].length);
  }

  /** Whether the entry was accepted, and which one it displaced. */
  add(
    entry: Entry,
    priority: Priority,
    owner: string,
  ): { readonly accepted: boolean; readonly displaced?: Entry } {
    const isFull = this.length >= this.#options.maxEntries;
    const displaced = isFull ? this.#displace(priority, owner) : undefined;
    if (isFull && displaced === undefined) return { accepted: false };
    this.#lanes[priority].add(entry, owner);
    return displaced === undefined ? { accepted: true } : { accepted: true, displaced };
  }

  /** Removes and returns the next entry. It counts as running until `end` is called. */
  take(): (Run & { readonly entry: Entry }) | undefined {
    for (const priority of priorities) {
      const taken = this.#lanes[priority].take((owner) => this.mayRun(owner));
      if (taken) return { entry: taken.entry, ...this.#counted(taken.owner, taken) };
    }
    return undefined;
  }

  /** Whether the owner may have one more running. */
  mayRun(owner: string): boolean {
    return this.#capacityOf(owner) > 0;
  }

  /** Something of an owner runs that was not queued. It counts until `end` is called. */
  join(priority: Priority, owner: string): Run {
    return this.#counted(owner, this.#lanes[priority].join(owner));
  }

  /** Counts a run for its owner, over all priorities. */
  #counted(owner: string, run: Run): Run {
    this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
    return {
      end: (cost) => {
        const running = (this.#running.get(owner) ?? 0) - 1;
        if (running > 0) this.#running.set(owner, running);
        else this.#running.delete(owner);
        run.end(cost);
      },
    };
  }

  remove(entry: Entry): boolean {
    return priorities.some((priority) => this.#lanes[priority].remove(entry));
  }

  /** Empties the queue; running entries are not affected. In the order of turns within a class. */
  takeAll(): Entry[] {
    return priorities.flatMap((priority) => {
      const lane = this.#lanes[priority];
      return Array.from({ length: lane.length }, () => {
        const taken = lane.take();
        taken?.end();
        return taken?.entry;
      }).filter((entry) => entry !== undefined);
    });
  }

  #capacityOf(owner: string): number {
    const max = this.#options.maxRunningOf?.(owner) ?? Number.POSITIVE_INFINITY;
    return max - (this.#running.get(owner) ?? 0);
  }

  /** Entries by owner, over all priorities. Scans all owners, but only where the queue is full or many entries wait. */
  #lengths(): ReadonlyMap<string, number> {
    const lengths = new Map<string, number>();
    for (const priority of priorities) {
      const lane = this.#lanes[priority];
      for (const owner of lane.owners()) {
        lengths.set(owner, (lengths.get(owner) ?? 0) + lane.lengthOf(owner));
      }
    }
    return lengths;
  }

  /** Removes the entry that a newcomer displaces from a full queue; undefined when the newcomer is refused. */
  #displace(priority: Priority, owner: string): Entry | undefined {
    const lengths = this.#lengths();
    const share = Math.ceil(this.#options.maxEntries / 2);
    const [above] = [...lengths].find(([, entries]) => entries > share) ?? [];
    if (above === owner) return this.#takeLatestOf(owner, below(priority));
    if (above !== undefined) return this.#takeLatestOf(above, priorities);
    return (
      this.#takeLatestBelow(priority) ??
      this.#takeOfLongest(priority, owner) ??
      this.#takeBehindLimit(owner, lengths)
    );
  }

  /** Of the lowest of these classes. */
  #takeLatestOf(owner: string, classes: readonly Priority[]): Entry | undefined {
    const lane = classes.findLast((priority) => this.#lanes[priority].lengthOf(owner) > 0);
    return lane && this.#lanes[lane].takeLatest(owner);
  }

  #takeLatestBelow(priority: Priority): Entry | undefined {
    for (const lower of below(priority).reverse()) {
      const lane = this.#lanes[lower];
      const longest = longestOf(lane);
      if (longest !== undefined) return lane.takeLatest(longest);
    }
    return undefined;
  }

  #takeOfLongest(priority: Priority, owner: string): Entry | undefined {
    const lane = this.#lanes[priority];
    const longest = longestOf(lane);
    // With one entry more both have as many, and each would displace the other without end.
    if (longest === undefined || lane.lengthOf(longest) <= lane.lengthOf(owner) + 1) return undefined;
    return lane.takeLatest(longest);
  }

  #takeBehindLimit(newcomer: string, lengths: ReadonlyMap<string, number>): Entry | undefined {
    const behindLimit = (owner: string) => (lengths.get(owner) ?? 0) - Math.max(0, this.#capacityOf(owner));
    if (behindLimit(newcomer) >= 0) return undefined;
    const [most] = [...lengths.keys()].sort((a, b) => behindLimit(b) - behindLimit(a));
    if (most === undefined || behindLimit(most) <= 0) return undefined;
    return this.#takeLatestOf(most, priorities);
  }
}

function below(priority: Priority): Priority[] {
  return priorities.slice(priorities.indexOf(priority) + 1);
}

/** The owner that has the most entries. Scans all owners, but only where the queue is full. */
function longestOf<Entry>(lane: FairQueue<Entry>): string | undefined {
  let longest: string | undefined;
  for (const owner of lane.owners()) {
    if (longest === undefined || lane.lengthOf(owner) > lane.lengthOf(longest)) longest = owner;
  }
  return longest;
}
