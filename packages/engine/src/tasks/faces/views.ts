import { type Box, clipBox } from '../../image/box.js';
import type { LoadedModel } from '../task.js';
import type { View } from './detect.js';
import { frameOf } from './frame.js';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The view of the whole image fits into this: a face that fills it is still within the detector's range. */
const wholeWidth = 640;
const wholeHeight = 480;
/** The size in pixels of a view from which the detector finds nearly every face: 30 of 31 at 16, 28 at 14. */
const findablePx = 16;
/** No image is enlarged by more than this for the fine views. */
const maxEnlargement = 2;
/** Largest window of the fine views, in pixels of the view. */
const windowWidth = 1280;
const windowHeight = 960;
/** Overlap of neighbouring windows, in pixels of the view: larger faces are found in the whole image. */
const overlap = 128;
/** Longest side of the view of a region, in pixels of the view: with 480 no more faces are found, in more time. */
const regionSide = 320;
/** A finer view with less than this magnification gains nothing. */
const worthwhile = 1.2;
/** For large faces alone, the scale of the whole view is this multiple of the scale at which they can be found. */
const ampleScale = 1.25;

/**
 * The whole image.
 * @param multiple of which the sides of the view must be
 * @param finest scale that is needed, in pixels of the view per pixel of the image
 * @param part of the usual size
 */
export function wholeView(image: Size, multiple: number, finest: number, part = 1): View {
  const { width, height } = image;
  const scale = part * wholeScale(image, finest);
  return {
    frame: frameOf({ xMin: 0, yMin: 0, xMax: width, yMax: height }),
    width: roundTo(width * scale, multiple),
    height: roundTo(height * scale, multiple),
  };
}

/**
 * Windows that together show the image at `scale` (pixels of the view a pixel of the image), all of one size and
 * evenly distributed; none when the whole view shows as much.
 */
export function fineViews(image: Size, multiple: number, scale: number): View[] {
  return scale < wholeScale(image, scale) * worthwhile ? [] : windowsOf(image, multiple, scale);
}

/** Windows at half of `scale`, for what is searched at `scale` afterwards; none when the whole view shows as much. */
export function guideViews(image: Size, multiple: number, scale: number): View[] {
  return scale / 2 <= wholeScale(image, scale) ? [] : windowsOf(image, multiple, scale / 2);
}

/**
 * Sizes of the whole image that serve the whole view and the guide views, the largest first. That for the guide views has their scale,
 * which is not quite the one that is asked for: their sides are multiples.
 */
export function wholeSizes(image: Size, multiple: number, scale: number): Size[] {
  const whole = wholeView(image, multiple, scale);
  const [guide] = guideViews(image, multiple, scale);
  if (guide === undefined) return [whole];
  const size = {
    width: Math.ceil((image.width * guide.width) / guide.frame.width),
    height: Math.ceil((image.height * guide.height) / guide.frame.height),
  };
  return size.width > worthwhile * whole.width ? [size, whole] : [whole];
}

function windowsOf(image: Size, multiple: number, scale: number): View[] {
  const [across, down] = [
    spread(image.width, scale, windowWidth, multiple),
    spread(image.height, scale, windowHeight, multiple),
  ];
  return down.starts.flatMap((yMin) =>
    across.starts.map((xMin) => ({
      frame: frameOf({ xMin, yMin, xMax: xMin + across.length, yMax: yMin + down.length }),
      width: across.side,
      height: down.side,
    })),
  );
}

/**
 * One view of each region, at `scale` (pixels of the view a pixel of the image) or less where a side would be longer than
 * `maxSide` pixels of the view; none of a region outside of the image.
 */
export function regionViews(
  image: Size,
  regions: readonly Box[],
  multiple: number,
  scale: number,
  maxSide = regionSide,
): View[] {
  return regions.flatMap((region) => {
    const { xMin, yMin, xMax, yMax } = clipBox(region, image.width, image.height);
    // Whole pixels, so that a region is cut without moving.
    const box = {
      xMin: Math.floor(xMin),
      yMin: Math.floor(yMin),
      xMax: Math.ceil(xMax),
      yMax: Math.ceil(yMax),
    };
    const [width, height] = [box.xMax - box.xMin, box.yMax - box.yMin];
    if (!(width >= 1 && height >= 1)) return [];
    const own = Math.min(scale, maxSide / Math.max(width, height));
    return [
      { frame: frameOf(box), width: roundTo(width * own, multiple), height: roundTo(height * own, multiple) },
    ];
  });
}

function wholeScale({ width, height }: Size, finest: number): number {
  const ample = finest < 1 ? ampleScale * finest : Number.POSITIVE_INFINITY;
  return Math.min(wholeWidth / width, wholeHeight / height, ample);
}

/** Starts and length in whole pixels of the image, so that a window is cut from it without moving; side in those of the view. */
function spread(
  total: number,
  scale: number,
  limit: number,
  multiple: number,
): { readonly starts: number[]; readonly length: number; readonly side: number } {
  const shared = overlap / scale;
  const count = Math.max(1, Math.ceil((total - shared) / (limit / scale - shared)));
  const length = Math.min(total, Math.ceil((total + (count - 1) * shared) / count));
  const starts = Array.from({ length: count }, (_, index) =>
    count === 1 ? 0 : Math.round((index * (total - length)) / (count - 1)),
  );
  return { starts, length, side: roundTo(length * scale, multiple) };
}

/** The sides of a detector's input are multiples of this. */
export function multipleOf({ manifest: { input } }: LoadedModel): number {
  return input.fit === 'free' ? input.multiple : 1;
}

/** The scale at which the smallest requested face can be found. */
export function finestScale(minFacePx: number): number {
  return Math.min(maxEnlargement, findablePx / minFacePx);
}

function roundTo(length: number, multiple: number): number {
  return Math.max(1, Math.round(length / multiple)) * multiple;
}
