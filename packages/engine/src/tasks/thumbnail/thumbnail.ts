import sharp from 'sharp';
import { detailOfReduced, type ImageRegion, readReduced } from '../../image/reduced.js';
import type { Task } from '../task.js';

export interface ThumbnailOptions {
  /** Of the longer side; a smaller image keeps its size. */
  readonly maxSidePx: number;
  /** The region to show; the whole image when absent, or when the region is outside. */
  readonly region?: ImageRegion;
}

export interface ThumbnailResult {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The image or a region of it, reduced, in its EXIF orientation. */
export const thumbnail: Task<'thumbnail', ThumbnailOptions, ThumbnailResult> = {
  name: 'thumbnail',
  detailPx: ({ maxSidePx, region }) => detailOfReduced(maxSidePx, region),
  rasters: () => 1,
  async run({ image }, { maxSidePx, region }) {
    const { data, width, height } = await readReduced(image, maxSidePx, region);
    const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 80 })
      .toBuffer();
    return { jpeg, width, height };
  },
};
