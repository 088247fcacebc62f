/** The size of a image and where its pixels go: width × height × channels bytes. */
type TakeBuffer = (width: number, height: number) => Uint8Array;

export interface PnmImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const maxHeaderBytes = 64;

/** Reads images of PNM (P6: RGB, P5: grey) that follow each other, as ffmpeg writes them; each byte is copied once. */
export class PnmReader {
  readonly #channels: 1 | 3;
  readonly #maxPixels: number;
  readonly #take: TakeBuffer;
  #header = '';
  #image: PnmImage | null = null;
  #filled = 0;

  constructor(options: { readonly channels: 1 | 3; readonly maxPixels: number; readonly take: TakeBuffer }) {
    this.#channels = options.channels;
    this.#maxPixels = options.maxPixels;
    this.#take = options.take;
  }

  /**
   * Reads from `start` on, up to the end of the chunk or of a image. `next` is where to read on. Throws an error for what is no
   * such image, or exceeds the limit of pixels.
   */
  read(chunk: Uint8Array, start: number): { readonly next: number; readonly image: PnmImage | null } {
    let at = start;
    if (this.#image === null) {
      at = this.#readHeader(chunk, at);
      if (this.#image === null) return { next: at, image: null };
    }
    const image: PnmImage = this.#image;
    const count = Math.min(image.pixels.length - this.#filled, chunk.length - at);
    image.pixels.set(chunk.subarray(at, at + count), this.#filled);
    this.#filled += count;
    at += count;
    if (this.#filled < image.pixels.length) return { next: at, image: null };
    this.#image = null;
    return { next: at, image };
  }

  #readHeader(chunk: Uint8Array, start: number): number {
    for (let at = start; at < chunk.length; at += 1) {
      this.#header += String.fromCharCode(chunk[at] ?? 0);
      if (this.#header.length > maxHeaderBytes) throw new Error('the header of a image does not end');
      const found = /^P([56])\s(\d{1,5})\s(\d{1,5})\s255\s$/.exec(this.#header);
      if (found === null) continue;
      this.#header = '';
      this.#begin(found[1] === '6' ? 3 : 1, Number(found[2]), Number(found[3]));
      return at + 1;
    }
    return chunk.length;
  }

  #begin(channels: number, width: number, height: number): void {
    if (channels !== this.#channels) throw new Error('a image has other channels than were asked for');
    if (width === 0 || height === 0 || width * height > this.#maxPixels) {
      throw new Error(`a image of ${width} x ${height} pixels is not acceptable`);
    }
    const pixels = this.#take(width, height);
    if (pixels.length !== width * height * channels)
      throw new Error('a buffer has not the size of its image');
    this.#image = { width, height, pixels };
    this.#filled = 0;
  }
}
