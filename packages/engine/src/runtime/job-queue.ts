import { FairQueue } from './fair-queue.js';
import type { Priority } from './job.js';

const order: readonly Priority[] = ['interactive', 'batch', 'background'];

export interface JobQueueOptions {
  /** Entries that may wait, over all priorities. */
  readonly maxEntries: number;
  /** Entries of one owner that may be under way at once; no limit unless given. */
  readonly maxRunningPerOwner?: number | undefined;
}

/**
 * What waits for an inference process: higher classes first; within one, owners take turns, and an owner's entries come
 * first come, first served. An owner that has as many under way as it may is passed over until one of them ends.
 *
 * The queue is bounded. A newcomer finding it full takes the place of the latest entry of a lower class, else of the
 * owner that has the most entries in its own class and more than the newcomer's: a person is never turned away because of
 * a queue of files, nor an account because of another account's many requests.
 */
export class JobQueue<Entry> {
  readonly #options: JobQueueOptions;
  readonly #lanes: Record<Priority, FairQueue<Entry>> = {
    interactive: new FairQueue(),
    batch: new FairQueue(),
    background: new FairQueue(),
  };
  /** Entries under way by owner. */
  readonly #running = new Map<string, number>();

  constructor(options: JobQueueOptions) {
    this.#options = options;
  }

  get length(): number {
    return order.reduce((sum, priority) => sum + this.#lanes[priority].length, 0);
  }

  /** Entries that could be taken if there were a process for each: those behind the limit of their owner are left out. */
  get takeable(): number {
    const waiting = new Map<string, number>();
    for (const priority of order) {
      for (const owner of this.#lanes[priority].owners()) {
        waiting.set(owner, (waiting.get(owner) ?? 0) + this.#lanes[priority].lengthOf(owner));
      }
    }
    return [...waiting].reduce((sum, [owner, entries]) => sum + Math.min(entries, this.#roomOf(owner)), 0);
  }

  depths(): Readonly<Record<Priority, number>> {
    const { interactive, batch, background } = this.#lanes;
    return { interactive: interactive.length, batch: batch.length, background: background.length };
  }

  /** Whether the entry was taken, and which one had to leave for it. */
  add(
    entry: Entry,
    priority: Priority,
    owner: string,
  ): { readonly accepted: boolean; readonly displaced?: Entry } {
    if (this.length < this.#options.maxEntries) {
      this.#lanes[priority].add(entry, owner);
      return { accepted: true };
    }
    const displaced = this.#takeLatestBelow(priority) ?? this.#takeOfLongest(priority, owner);
    if (displaced === undefined) return { accepted: false };
    this.#lanes[priority].add(entry, owner);
    return { accepted: true, displaced };
  }

  /** The entry whose turn it is. It counts as under way until `ended` is called with its owner. */
  take(): Entry | undefined {
    for (const priority of order) {
      const lane = this.#lanes[priority];
      for (let owner = lane.nextOwner(); owner !== undefined; owner = lane.nextOwner()) {
        if (this.#roomOf(owner) <= 0) {
          lane.holdBack(owner);
          continue;
        }
        this.#running.set(owner, (this.#running.get(owner) ?? 0) + 1);
        return lane.take();
      }
    }
    return undefined;
  }

  /** An entry of the owner that was taken is no longer under way. */
  ended(owner: string): void {
    const running = (this.#running.get(owner) ?? 0) - 1;
    if (running > 0) this.#running.set(owner, running);
    else this.#running.delete(owner);
    for (const priority of order) this.#lanes[priority].letIn(owner);
  }

  remove(entry: Entry): boolean {
    return order.some((priority) => this.#lanes[priority].remove(entry));
  }

  /** Empties the queue, whatever is under way; in the order of its turns within a class. */
  takeAll(): Entry[] {
    return order.flatMap((priority) => {
      const lane = this.#lanes[priority];
      for (const owner of lane.owners()) lane.letIn(owner);
      return Array.from({ length: lane.length }, () => lane.take()).filter((entry) => entry !== undefined);
    });
  }

  #roomOf(owner: string): number {
    const { maxRunningPerOwner = Number.POSITIVE_INFINITY } = this.#options;
    return maxRunningPerOwner - (this.#running.get(owner) ?? 0);
  }

  #takeLatestBelow(priority: Priority): Entry | undefined {
    for (const lower of order.slice(order.indexOf(priority) + 1).reverse()) {
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
}

/** The owner that has the most entries. Looks at each owner, but only where the queue is full. */
function longestOf<Entry>(lane: FairQueue<Entry>): string | undefined {
  let longest: string | undefined;
  for (const owner of lane.owners()) {
    if (longest === undefined || lane.lengthOf(owner) > lane.lengthOf(longest)) longest = owner;
  }
  return longest;
}
