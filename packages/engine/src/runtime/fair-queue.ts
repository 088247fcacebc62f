import { LinkedList, type ListNode } from './linked-list.js';

interface Owner<Entry> {
  readonly name: string;
  readonly entries: LinkedList<Entry>;
  /** Where it stands in the queue's time: what it has used, from where the queue was when it came. */
  spent: number;
  /** Orders owners that have spent the same. */
  turn: number;
  /** Cost of its last entry, by which the next one is charged until its own is known. */
  lastCost: number | undefined;
  running: number;
  /** Milliseconds; the time up to which idle seconds are forgiven already: when its last entry ended, or an entry came after that. */
  idleSince: number;
}

/** An entry of an owner that runs. */
export interface Run {
  /** To be called once, with what it cost; with what it was expected to cost unless given. */
  end(cost?: number): void;
}

/** Owners that are idle and kept for what they have spent, beyond which they are swept. */
const maxIdle = 1000;

/**
 * A queue of several owners, who take turns by what they have used: the next entry is of the owner that has spent least, and the
 * entries of one owner are first in, first out. While all entries cost the same this is round robin.
 *
 * Start-time fair queueing: an owner that comes, or comes back, starts where the queue is, so that nobody saves up turns. What an
 * owner has used beyond the others is forgiven with the time that it stays away, a second for each second.
 */
export class FairQueue<Entry> {
  readonly #now: () => number;
  readonly #owners = new Map<string, Owner<Entry>>();
  readonly #locations = new Map<Entry, { readonly owner: Owner<Entry>; readonly node: ListNode<Entry> }>();
  /** Owners that have entries, the next one first. */
  readonly #order: Owner<Entry>[] = [];
  /** The queue's time, in seconds of cost: what the owner of the last entry that was taken had spent until then. */
  #time = 0;
  #turns = 0;
  #lastCost = 1;
  #sweepAt = maxIdle;

  /** @param now milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get length(): number {
    return this.#locations.size;
  }

  /** Owners that it remembers: those with entries, and those that have spent beyond the others. */
  get known(): number {
    return this.#owners.size;
  }

  lengthOf(owner: string): number {
    return this.#owners.get(owner)?.entries.length ?? 0;
  }

  /** Owners that have entries, the next one first. */
  owners(): readonly string[] {
    return this.#order.map(({ name }) => name);
  }

  add(entry: Entry, name: string): void {
    const owner = this.#ownerOf(name);
    const isFirst = owner.entries.length === 0;
    this.#locations.set(entry, { owner, node: owner.entries.push(entry) });
    if (!isFirst) return;
    owner.spent = Math.max(this.#time, owner.spent - this.#idleSeconds(owner));
    // An entry may leave without having run: the same seconds are not forgiven to the next one.
    owner.idleSince = this.#now();
    this.#place(owner);
  }

  /** The oldest entry of the next owner that may have one more running; undefined when there is none. */
  take(
    mayRun: (owner: string) => boolean = () => true,
  ): (Run & { readonly entry: Entry; readonly owner: string }) | undefined {
    // Each that is skipped has something running: there are few.
    const owner = this.#order.find(({ name }) => mayRun(name));
    const entry = owner?.entries.first;
    if (!owner || entry === undefined) return undefined;
    this.#time = Math.max(this.#time, owner.spent);
    const expected = owner.lastCost ?? this.#lastCost;
    this.#charge(owner, this.#time - owner.spent + expected);
    const run = this.#run(owner, expected);
    this.remove(entry);
    return { entry, owner: owner.name, ...run };
  }

  /** Counts a run that was not queued, such as the help of a second process with one entry. */
  join(name: string): Run {
    return this.#run(this.#ownerOf(name), 0);
  }

  /** Removes and returns the newest entry of an owner. */
  takeLatest(name: string): Entry | undefined {
    const entry = this.#owners.get(name)?.entries.last;
    if (entry !== undefined) this.remove(entry);
    return entry;
  }

  remove(entry: Entry): boolean {
    const location = this.#locations.get(entry);
    if (!location) return false;
    const { owner, node } = location;
    this.#locations.delete(entry);
    if (owner.entries.length === 1) this.#displace(owner);
    owner.entries.remove(node);
    this.#forget(owner);
    return true;
  }

  #ownerOf(name: string): Owner<Entry> {
    const known = this.#owners.get(name);
    if (known) return known;
    this.#sweep();
    const idleSince = this.#now();
    const entries = new LinkedList<Entry>();
    const owner = { name, entries, spent: this.#time, turn: 0, lastCost: undefined, running: 0, idleSince };
    this.#owners.set(name, owner);
    return owner;
  }

  #run(owner: Owner<Entry>, expected: number): Run {
    owner.running += 1;
    return {
      end: (cost = expected) => {
        owner.running -= 1;
        owner.idleSince = this.#now();
        if (expected > 0) {
          owner.lastCost = cost;
          this.#lastCost = cost;
        }
        this.#charge(owner, cost - expected);
        this.#forget(owner);
      },
    };
  }

  #charge(owner: Owner<Entry>, cost: number): void {
    const isWaiting = owner.entries.length > 0;
    if (isWaiting) this.#displace(owner);
    owner.spent += cost;
    if (isWaiting) this.#place(owner);
  }

  #place(owner: Owner<Entry>): void {
    this.#turns += 1;
    owner.turn = this.#turns;
    this.#order.splice(this.#indexOf(owner), 0, owner);
  }

  #displace(owner: Owner<Entry>): void {
    this.#order.splice(this.#indexOf(owner), 1);
  }

  /** Index in `#order` at which the owner is, or belongs. */
  #indexOf({ spent, turn }: Owner<Entry>): number {
    let [from, to] = [0, this.#order.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const other = this.#order[middle];
      if (other && (other.spent < spent || (other.spent === spent && other.turn < turn))) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #idleSeconds({ running, idleSince }: Owner<Entry>): number {
    return running > 0 ? 0 : (this.#now() - idleSince) / 1000;
  }

  /** An owner with nothing here, and nothing beyond the others, is as one that comes for the first time. */
  #forget(owner: Owner<Entry>): void {
    if (owner.entries.length > 0 || owner.running > 0) return;
    if (owner.spent - this.#idleSeconds(owner) <= this.#time) this.#owners.delete(owner.name);
  }

  #sweep(): void {
    if (this.#owners.size < this.#sweepAt) return;
    for (const owner of this.#owners.values()) this.#forget(owner);
    this.#sweepAt = maxIdle + 2 * this.#owners.size;
  }
}
