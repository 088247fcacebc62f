import { type Box, clipBox } from './box.js';
import type { Image } from './image.js';

/** A part of an image. */
export interface ImageRegion {
  /** In pixels of the oriented image, and clipped to it; the whole image is meant where nothing of it is left. */
  readonly box: Box;
  /** The longer side of that image, which determines the detail that the region needs. */
  readonly imageSidePx: number;
}

/** RGB pixels of a part of an image, perhaps reduced. */
export interface ReducedImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The part, in pixels of the image. */
  readonly box: Box;
}

/** The detail, as `detailPx` of a task, to show an image or a region of it at `maxSidePx`. */
export function detailOfReduced(maxSidePx: number, region: ImageRegion | undefined): number {
  if (!region) return maxSidePx;
  const { xMin, yMin, xMax, yMax } = region.box;
  return Math.ceil((maxSidePx * region.imageSidePx) / Math.max(1, xMax - xMin, yMax - yMin));
}

/** Reads an image or a region of it, its longer side at most `maxSidePx`; a smaller one keeps its size. */
export async function readReduced(
  image: Image,
  maxSidePx: number,
  region: ImageRegion | undefined,
): Promise<ReducedImage> {
  const clipped = region && clipBox(region.box, image.width, image.height);
  const part = clipped && hasPixels(clipped) ? clipped : undefined;
  const box = part ?? { xMin: 0, yMin: 0, xMax: image.width, yMax: image.height };
  const [wide, high] = [box.xMax - box.xMin, box.yMax - box.yMin];
  const scale = Math.min(1, maxSidePx / Math.max(wide, high));
  const width = Math.max(1, Math.round(wide * scale));
  const height = Math.max(1, Math.round(high * scale));
  const data = await image.raster({ width, height, ...(part && { region: part }) });
  return { data, width, height, box };
}

function hasPixels({ xMin, yMin, xMax, yMax }: Box): boolean {
  return xMax - xMin >= 1 && yMax - yMin >= 1;
}
