import type { Box } from '@lynceus/engine';
import type { PlannedLabel, Size } from '../formats/plan.js';

/** An image as it is meant to be seen. */
export interface ImageFacts extends Size {
  /** Of Exif, 1 to 8: how its pixels are stored. */
  readonly orientation: number;
}

type PlacedBox =
  | {
      readonly box: Box;
      readonly isScaled: boolean;
      readonly isRotated: boolean;
      /** Whether the declared size fits the image as it is stored too, which would mean another place. */
      readonly isUnclear: boolean;
    }
  /** The declared size is of another image. */
  | { readonly problem: 'size-differs'; readonly message: string };

/** Sizes of one shape may differ by this share of their aspect ratio, since programs round the sides. */
const aspectSlack = 0.015;

/** The box in pixels of the image, by the size that its file says the image has. */
export function placeBox(box: Box, { unit, declared }: PlannedLabel, image: ImageFacts): PlacedBox {
  const plain = { isScaled: false, isRotated: false, isUnclear: false };
  if (unit === 'share') return { ...plain, box: toPixels(box, image) };
  if (!declared) return { ...plain, box };
  const { orientation } = image;
  const stored = { width: image.height, height: image.width };
  const fitsStored = orientation > 4 && isOfShape(declared, stored);
  if (isOfShape(declared, image)) {
    // A half turn, a mirror image, or a quarter turn of a square: the size is the same before and after it.
    const isUnclear = orientation !== 1 && (orientation < 5 || fitsStored);
    return { ...plain, ...scale(box, declared, image), isUnclear };
  }
  if (fitsStored) {
    const { box: scaled, isScaled } = scale(box, declared, stored);
    return { box: turn(scaled, stored, orientation), isScaled, isRotated: true, isUnclear: false };
  }
  const message = `the file says ${declared.width} x ${declared.height} pixels, and the image has ${image.width} x ${image.height}: where its boxes are cannot be known`;
  return { problem: 'size-differs', message };
}

/** Shares are kept to a ten-thousandth of a pixel, so that what was written from pixels is read as it was. */
function toPixels(box: Box, { width, height }: Size): Box {
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  return {
    xMin: round(box.xMin * width),
    yMin: round(box.yMin * height),
    xMax: round(box.xMax * width),
    yMax: round(box.yMax * height),
  };
}

function isOfShape(a: Size, b: Size): boolean {
  const [x, y] = [b.width / a.width, b.height / a.height];
  const isRounded = (one: Size, other: Size, factor: number) =>
    Math.abs(one.width * factor - other.width) <= 1 && Math.abs(one.height * factor - other.height) <= 1;
  return (
    Math.abs(x / y - 1) <= aspectSlack ||
    isRounded(a, b, x) ||
    isRounded(a, b, y) ||
    isRounded(b, a, 1 / x) ||
    isRounded(b, a, 1 / y)
  );
}

function scale(box: Box, from: Size, to: Size): { readonly box: Box; readonly isScaled: boolean } {
  if (from.width === to.width && from.height === to.height) return { box, isScaled: false };
  const [x, y] = [to.width / from.width, to.height / from.height];
  return {
    box: { xMin: box.xMin * x, yMin: box.yMin * y, xMax: box.xMax * x, yMax: box.yMax * y },
    isScaled: true,
  };
}

/** From the pixels as they are stored to the image as it is seen, for the orientations of a quarter turn. */
function turn({ xMin, yMin, xMax, yMax }: Box, { width, height }: Size, orientation: number): Box {
  switch (orientation) {
    case 5:
      return { xMin: yMin, yMin: xMin, xMax: yMax, yMax: xMax };
    case 7:
      return { xMin: height - yMax, yMin: width - xMax, xMax: height - yMin, yMax: width - xMin };
    case 8:
      return { xMin: yMin, yMin: width - xMax, xMax: yMax, yMax: width - xMin };
    default:
      return { xMin: height - yMax, yMin: xMin, xMax: height - yMin, yMax: xMax };
  }
}
