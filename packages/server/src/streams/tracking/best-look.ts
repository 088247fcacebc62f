import { type Box, boxArea } from '@lynceus/engine';

/** So many times better is clearly better. */
const clearly = 1.15;
/** Share of the image above which an object gains nothing by being larger. */
const fullShare = 0.25;
/** What a look is worth at whose border of the image the object is cut off. */
const cutWorth = 0.5;
/** Pixels from the border within which a box touches it. */
const borderPx = 2;

/**
 * How well one look shows an object, above 0: by the quality of its face where one was found, its score, its size, and whether it is
 * whole. A face is worth more than all else: people want to see who it was.
 */
export function rateLook(look: {
  readonly box: Box;
  readonly score: number;
  readonly width: number;
  readonly height: number;
  /** 0 to 1. */
  readonly faceQuality: number | null;
}): number {
  const { box, score, width, height, faceQuality } = look;
  const share = boxArea(box) / Math.max(1, width * height);
  const size = Math.sqrt(Math.min(1, share / fullShare));
  const isCut =
    box.xMin <= borderPx ||
    box.yMin <= borderPx ||
    box.xMax >= width - borderPx ||
    box.yMax >= height - borderPx;
  const seen = score * (0.3 + 0.7 * size) * (isCut ? cutWorth : 1);
  const hasFace = faceQuality !== null && faceQuality >= 0;
  return seen + (hasFace ? 1 + 2 * Math.min(1, faceQuality) : 0);
}

export function isClearlyBetter(rating: number, best: number): boolean {
  return rating > clearly * best;
}
