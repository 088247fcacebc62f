/**
 * Blocks and codes of a file that are read, about three seconds of processor time: a photograph of 64 megapixels has fewer, but a
 * file of a few megabytes can have far more.
 */
const maxWork = 140_000_000;

/** Blocks and codes that were read. */
export class Work {
  #done = 0;

  add(count: number): void {
    this.#done += count;
  }

  get isTooMuch(): boolean {
    return this.#done > maxWork;
  }
}
