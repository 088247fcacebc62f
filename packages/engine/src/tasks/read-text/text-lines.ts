import type { Box, Point } from '../../image/box.js';

/** A piece of text on one line. */
export interface TextLine {
  readonly text: string;
  /** Mean probability of its characters, 0 to 1. */
  readonly score: number;
  /** Its corners, clockwise as one reads it: the upper left of the text first. */
  readonly polygon: readonly [Point, Point, Point, Point];
  /** The bounding box of the polygon. */
  readonly box: Box;
}

export interface ReadTextResult {
  /** In reading order: lines from top to bottom, in each from left to right. */
  readonly lines: readonly TextLine[];
}
