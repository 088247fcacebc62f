import { maxPaddingBytes } from './jpeg-codes.js';

/**
 * Data of a scan between two markers, without the zero that follows each 0xff. One buffer is used for all of them, as a file may
 * have a marker every three bytes.
 */
export class ScanData {
  /** What follows `length` is of other data. */
  readonly bytes: Uint8Array;
  length = 0;
  /** Where equal bytes start at the end of the data; the end of the data when they are few. */
  startOfPadding = 0;
  readonly #file: Uint8Array;

  constructor(file: Buffer) {
    this.#file = file;
    this.bytes = new Uint8Array(file.length);
  }

  /** Takes the data from there to the next marker, whose place is returned. */
  take(from: number): number {
    const file = this.#file;
    const bytes = this.bytes;
    let length = 0;
    let at = from;
    for (; at < file.length; at += 1) {
      const byte = file[at] ?? 0;
      if (byte === 0xff) {
        const next = file[at + 1];
        // Any number of 0xff may be before a marker.
        if (next === 0xff) continue;
        if (next !== 0) break;
        at += 1;
      }
      bytes[length] = byte;
      length += 1;
    }
    this.length = length;
    this.startOfPadding = this.#findPadding();
    return Math.min(at, file.length);
  }

  #findPadding(): number {
    const last = this.bytes[this.length - 1];
    let at = this.length;
    while (at > 0 && this.bytes[at - 1] === last) at -= 1;
    return this.length - at > maxPaddingBytes ? at : this.length;
  }
}
