/** The size of a picture and where its pixels go: width × height × channels bytes. */
export type TakeBuffer = (width: number, height: number) => Uint8Array;

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const maxHeaderBytes = 64;

/** Reads pictures of PNM (P6: RGB, P5: grey) that follow each other, as ffmpeg writes them; each byte is copied once. */
export class PnmReader {
  readonly #channels: 1 | 3;
  readonly #maxPixels: number;
  readonly #take: TakeBuffer;
  #header = '';
  #picture: Picture | null = null;
  #filled = 0;

  constructor(options: { readonly channels: 1 | 3; readonly maxPixels: number; readonly take: TakeBuffer }) {
    this.#channels = options.channels;
    this.#maxPixels = options.maxPixels;
    this.#take = options.take;
  }

  /**
   * Reads from `start` on, up to the end of the chunk or of a picture. `next` is where to read on. Throws an error for what is no
   * such picture, or exceeds the limit of pixels.
   */
  read(chunk: Uint8Array, start: number): { readonly next: number; readonly picture: Picture | null } {
    let at = start;
    if (this.#picture === null) {
      at = this.#readHeader(chunk, at);
      if (this.#picture === null) return { next: at, picture: null };
    }
    const picture: Picture = this.#picture;
    const count = Math.min(picture.pixels.length - this.#filled, chunk.length - at);
    picture.pixels.set(chunk.subarray(at, at + count), this.#filled);
    this.#filled += count;
    at += count;
    if (this.#filled < picture.pixels.length) return { next: at, picture: null };
    this.#picture = null;
    return { next: at, picture };
  }

  #readHeader(chunk: Uint8Array, start: number): number {
    for (let at = start; at < chunk.length; at += 1) {
      this.#header += String.fromCharCode(chunk[at] ?? 0);
      if (this.#header.length > maxHeaderBytes) throw new Error('the header of a picture does not end');
      const found = /^P([56])\s(\d{1,5})\s(\d{1,5})\s255\s$/.exec(this.#header);
      if (found === null) continue;
      this.#header = '';
      this.#begin(found[1] === '6' ? 3 : 1, Number(found[2]), Number(found[3]));
      return at + 1;
    }
    return chunk.length;
  }

  #begin(channels: number, width: number, height: number): void {
    if (channels !== this.#channels) throw new Error('a picture has other channels than were asked for');
    if (width === 0 || height === 0 || width * height > this.#maxPixels) {
      throw new Error(`a picture of ${width} x ${height} pixels is not acceptable`);
    }
    const pixels = this.#take(width, height);
    if (pixels.length !== width * height * channels)
      throw new Error('a buffer has not the size of its picture');
    this.#picture = { width, height, pixels };
    this.#filled = 0;
  }
}
