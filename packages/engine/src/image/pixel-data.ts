/** Raw pixels, 8 bit, interleaved: RGB, or RGBA where `channels` is 4. */
export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
}
