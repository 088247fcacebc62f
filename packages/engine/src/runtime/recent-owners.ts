interface Ask {
  readonly owner: string;
  readonly at: number;
}

/**
 * Answers whether any owner but a given one has asked within a time. The latest request, and the latest one of another owner than that,
 * suffice for it.
 */
export class RecentOwners {
  readonly #withinMs: number;
  readonly #now: () => number;
  #latest: Ask | undefined;
  /** The latest request of another owner than that of `#latest`. */
  #other: Ask | undefined;

  /** @param now milliseconds */
  constructor(withinMs: number, now: () => number = () => performance.now()) {
    this.#withinMs = withinMs;
    this.#now = now;
  }

  asked(owner: string): void {
    if (this.#latest?.owner !== owner) this.#other = this.#latest;
    this.#latest = { owner, at: this.#now() };
  }

  /** Whether another owner has asked within the time. */
  hasOtherThan(owner: string): boolean {
    const ask = this.#latest?.owner === owner ? this.#other : this.#latest;
    return ask !== undefined && this.#now() - ask.at < this.#withinMs;
  }
}
