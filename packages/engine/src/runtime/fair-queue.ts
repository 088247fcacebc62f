/** A node of a list, the handle for removing its value. */
export interface ListNode<Value> {
  readonly value: Value;
  before: ListNode<Value> | undefined;
  after: ListNode<Value> | undefined;
}

/** Values in order of arrival; each operation takes constant time. */
class LinkedList<Value> {
  #first: ListNode<Value> | undefined;
  #last: ListNode<Value> | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): Value | undefined {
    return this.#first?.value;
  }

  get last(): Value | undefined {
    return this.#last?.value;
  }

  push(value: Value): ListNode<Value> {
    const node: ListNode<Value> = { value, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = node;
    else this.#first = node;
    this.#last = node;
    this.#length += 1;
    return node;
  }

  /** To be called once with a node of this list. */
  remove({ before, after }: ListNode<Value>): void {
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    this.#length -= 1;
  }
}

interface Owner<Entry> {
  readonly name: string;
  readonly entries: LinkedList<Entry>;
  /** Its node among the active owners; absent while it is held back. */
  rotationNode: ListNode<Owner<Entry>> | undefined;
}

/**
 * A round-robin queue of several owners: the entries of one owner are first in, first out. Adding, taking,
 * removing and holding back take constant time.
 */
export class FairQueue<Entry> {
  readonly #owners = new Map<string, Owner<Entry>>();
  readonly #locations = new Map<Entry, { readonly owner: Owner<Entry>; readonly node: ListNode<Entry> }>();
  /** Owners that have entries and are not held back, the next one first. */
  readonly #rotation = new LinkedList<Owner<Entry>>();

  get length(): number {
    return this.#locations.size;
  }

  lengthOf(owner: string): number {
    return this.#owners.get(owner)?.entries.length ?? 0;
  }

  /** Owners that have entries, held back or not. */
  owners(): IterableIterator<string> {
    return this.#owners.keys();
  }

  /** The next owner; undefined when no owner has entries, or only owners that are held back. */
  nextOwner(): string | undefined {
    return this.#rotation.first?.name;
  }

  add(entry: Entry, name: string): void {
    const known = this.#owners.get(name);
    const owner: Owner<Entry> = known ?? { name, entries: new LinkedList(), rotationNode: undefined };
    if (!known) {
      this.#owners.set(name, owner);
      owner.rotationNode = this.#rotation.push(owner);
    }
    this.#locations.set(entry, { owner, node: owner.entries.push(entry) });
  }

  /** The oldest entry of the next owner, which then comes after all others. */
  take(): Entry | undefined {
    const owner = this.#rotation.first;
    const entry = owner?.entries.first;
    if (!owner || entry === undefined) return undefined;
    this.remove(entry);
    if (owner.rotationNode) {
      this.#rotation.remove(owner.rotationNode);
      owner.rotationNode = this.#rotation.push(owner);
    }
    return entry;
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
    owner.entries.remove(node);
    if (owner.entries.length > 0) return true;
    this.#owners.delete(owner.name);
    if (owner.rotationNode) this.#rotation.remove(owner.rotationNode);
    owner.rotationNode = undefined;
    return true;
  }

  /** Skips an owner until `letIn`; entries that it gets meanwhile wait too. */
  holdBack(name: string): void {
    const owner = this.#owners.get(name);
    if (!owner?.rotationNode) return;
    this.#rotation.remove(owner.rotationNode);
    owner.rotationNode = undefined;
  }

  /** Puts an owner that was held back at the end of the round. */
  letIn(name: string): void {
    const owner = this.#owners.get(name);
    if (owner && !owner.rotationNode) owner.rotationNode = this.#rotation.push(owner);
  }
}
