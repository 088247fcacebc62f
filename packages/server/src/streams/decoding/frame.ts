/** One byte a pixel, row by row. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A decoded image. What it holds is overwritten after the next call of `next`; copy what is needed for longer. */
export interface Frame {
  readonly width: number;
  readonly height: number;
  /** RGB, interleaved, row by row: width × height × 3 bytes. */
  readonly pixels: Uint8Array;
  /** Live: when it arrived, in milliseconds since 1970. Every frame of a file: its position in milliseconds. */
  readonly atMs: number;
  /** The same image reduced to at most 96 pixels in each direction. */
  readonly motion: GreyImage;
  /** Counts the decoded frames from 0, those included that nobody asked for in time. */
  readonly index: number;
  /** Size of the image that the source sends. */
  readonly sourceWidth: number;
  readonly sourceHeight: number;
}

/** `live`: the newest frame, others are dropped. `every-frame`: all, and the source waits. */
export type Pace = 'live' | 'every-frame';
