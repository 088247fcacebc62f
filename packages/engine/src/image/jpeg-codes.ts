/** Bytes behind the last unit that padding explains, whatever they are; more of them are padding if they are equal. */
export const maxPaddingBytes = 64;

/** More bits a block than these are not read from padding unless it stands for pixels. */
export const maxEmptyBits = 64;

/** The next 16 bits. Those behind the end of the data are any. */
export function next16(data: Uint8Array, bit: number): number {
  const at = bit >>> 3;
  const bits = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
  return (bits >>> (8 - (bit & 7))) & 0xffff;
}

/** Of samples of 8 bits. */
export const maxDcBits = 11;

const shortBits = 9;

/** Huffman codes: `find` takes the next 16 bits, and returns the length of the code x 256 + its value; 0: no code. */
export class Codes {
  readonly #short = new Uint16Array(2 ** shortBits);
  readonly #long = new Uint16Array(2 ** 16);

  constructor(table: Buffer) {
    let code = 0;
    let at = 16;
    for (let length = 1; length <= 16; length += 1) {
      for (let count = table[length - 1] ?? 0; count > 0; count -= 1, at += 1, code += 1) {
        const found = (length << 8) | (table[at] ?? 0);
        this.#long.fill(found, code << (16 - length), (code + 1) << (16 - length));
        if (length > shortBits) continue;
        this.#short.fill(found, code << (shortBits - length), (code + 1) << (shortBits - length));
      }
      code <<= 1;
    }
  }

  find(next16: number): number {
    return this.#short[next16 >>> (16 - shortBits)] || (this.#long[next16] ?? 0);
  }
}
