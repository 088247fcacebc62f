interface Ask {
  readonly owner: string;
  readonly at: number;
}

/** Who asked last, and who before, is all that says whether somebody else than an owner has asked of late. */
export class RecentOwners {
  readonly #withinMs: number;
  readonly #now: () => number;
  #latest: Ask | undefined;
  /** The latest of another owner. */
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
