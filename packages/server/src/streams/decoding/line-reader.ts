const lineFeed = 0x0a;

/** Splits bytes into lines and cuts off what is longer than `maxLength`; keeps one line at most. */
export class LineReader {
  #line = '';

  constructor(
    readonly maxLength: number,
    readonly onLine: (line: string) => void,
  ) {}

  push(chunk: Buffer): void {
    let at = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, at);
      const left = this.maxLength - this.#line.length;
      const until = end < 0 ? chunk.length : end;
      if (left > 0) this.#line += chunk.toString('latin1', at, Math.min(until, at + left));
      if (end < 0) return;
      const line = this.#line.trimEnd();
      this.#line = '';
      if (line !== '') this.onLine(line);
      at = end + 1;
    }
  }
}
