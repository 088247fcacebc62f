import type { Box } from '@lynceus/engine';
import type { GeneralResult } from '../../recognition/results.js';

/** What is drawn around an object. */
export interface ObjectMark {
  /** In pixels of the frame. */
  readonly box: Box;
  readonly title: string;
  /** Such as `0.97`. */
  readonly note: string;
}

/** A frame of a stream as whoever watches it sees it. */
export interface ShownFrame {
  /** Counts up; not every number is shown. */
  readonly index: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Null for a frame that was not analysed. */
  readonly result: GeneralResult | null;
  readonly marks: readonly ObjectMark[];
  /** Drawn once for all who want it so. Null where the frame is gone: take a newer one. */
  toJpeg(options: DrawnAs): Promise<Uint8Array | null>;
}

export interface DrawnAs {
  /** Whether objects are marked. */
  readonly hasBoxes: boolean;
  /** Of the longer side, in pixels. */
  readonly maxSidePx: number;
}

/** The same drawing for all who ask for it. */
export function drawOnce(
  draw: (options: DrawnAs) => Promise<Uint8Array | null>,
): (options: DrawnAs) => Promise<Uint8Array | null> {
  const drawn = new Map<string, Promise<Uint8Array | null>>();
  return (options) => {
    const key = `${options.hasBoxes} ${options.maxSidePx}`;
    const known = drawn.get(key);
    if (known) return known;
    const drawing = draw(options);
    drawn.set(key, drawing);
    // What could not be drawn now is tried again for who asks next.
    drawing.then(
      (jpeg) => jpeg ?? drawn.delete(key),
      () => drawn.delete(key),
    );
    return drawing;
  };
}
