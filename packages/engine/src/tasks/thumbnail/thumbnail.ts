import sharp from 'sharp';
import { type Box, clipBox } from '../../image/box.js';
import type { Task } from '../task.js';

export interface ThumbnailOptions {
  /** Of the longer side; a smaller image keeps its size. */
  readonly maxSidePx: number;
  /** The region to show; the whole image when absent, or when the region is outside. */
  readonly region?: ThumbnailRegion;
}

export interface ThumbnailRegion {
  /** In pixels of the oriented image, and clipped to it. */
  readonly box: Box;
  /** The longer side of that image, which determines the detail that the region needs. */
  readonly imageSidePx: number;
}

export interface ThumbnailResult {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The image or a region of it, reduced, in its EXIF orientation. */
export const thumbnail: Task<'thumbnail', ThumbnailOptions, ThumbnailResult> = {
  name: 'thumbnail',
  detailPx({ maxSidePx, region }) {
    if (!region) return maxSidePx;
    const { xMin, yMin, xMax, yMax } = region.box;
    return Math.ceil((maxSidePx * region.imageSidePx) / Math.max(1, xMax - xMin, yMax - yMin));
  },
  rasters: () => 1,
  async run({ image }, { maxSidePx, region }) {
    const clipped = region && clipBox(region.box, image.width, image.height);
    const shown = clipped && hasPixels(clipped) ? clipped : undefined;
    const wide = shown ? shown.xMax - shown.xMin : image.width;
    const high = shown ? shown.yMax - shown.yMin : image.height;
    const scale = Math.min(1, maxSidePx / Math.max(wide, high));
    const width = Math.max(1, Math.round(wide * scale));
    const height = Math.max(1, Math.round(high * scale));
    const rgb = await image.raster({ width, height, ...(shown ? { region: shown } : {}) });
    const jpeg = await sharp(rgb, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 80 })
      .toBuffer();
    return { jpeg, width, height };
  },
};

function hasPixels({ xMin, yMin, xMax, yMax }: Box): boolean {
  return xMax - xMin >= 1 && yMax - yMin >= 1;
}
