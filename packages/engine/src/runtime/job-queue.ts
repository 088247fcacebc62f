import type { Priority } from './job.js';

const order: readonly Priority[] = ['interactive', 'batch', 'background'];

/**
 * What waits for an inference process: higher classes first, first come first served within one, bounded in all.
 * A newcomer finding it full takes the place of the latest entry of a lower class, if there is one: a person is never
 * turned away because of a queue of files.
 */
export class JobQueue<Entry> {
  readonly #lanes: Record<Priority, Entry[]> = { interactive: [], batch: [], background: [] };

  constructor(readonly maxEntries: number) {}

  get length(): number {
    return order.reduce((sum, priority) => sum + this.#lanes[priority].length, 0);
  }

  depths(): Readonly<Record<Priority, number>> {
    const { interactive, batch, background } = this.#lanes;
    return { interactive: interactive.length, batch: batch.length, background: background.length };
  }

  /** Whether the entry was taken, and which one had to leave for it. */
  add(entry: Entry, priority: Priority): { readonly accepted: boolean; readonly displaced?: Entry } {
    if (this.length < this.maxEntries) {
      this.#lanes[priority].push(entry);
      return { accepted: true };
    }
    const displaced = this.#takeLatestBelow(priority);
    if (displaced === undefined) return { accepted: false };
    this.#lanes[priority].push(entry);
    return { accepted: true, displaced };
  }

  /** The entry whose turn it is. */
  take(): Entry | undefined {
    for (const priority of order) {
      const entry = this.#lanes[priority].shift();
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  remove(entry: Entry): boolean {
    for (const priority of order) {
      const index = this.#lanes[priority].indexOf(entry);
      if (index >= 0) {
        this.#lanes[priority].splice(index, 1);
        return true;
      }
    }
    return false;
  }

  /** Empties the queue, in the order of its turns. */
  takeAll(): Entry[] {
    return order.flatMap((priority) => this.#lanes[priority].splice(0));
  }

  #takeLatestBelow(priority: Priority): Entry | undefined {
    for (const lower of order.slice(order.indexOf(priority) + 1).reverse()) {
      const entry = this.#lanes[lower].pop();
      if (entry !== undefined) return entry;
    }
    return undefined;
  }
}
