/** A node of a list, the handle for removing its value. */
export interface ListNode<Value> {
  readonly value: Value;
  before: ListNode<Value> | undefined;
  after: ListNode<Value> | undefined;
}

/** Values in order of arrival; each operation takes constant time. */
export class LinkedList<Value> {
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
