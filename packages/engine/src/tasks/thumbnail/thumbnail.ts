import { encodeJpeg } from '../../image/encode-jpeg.js';
import type { Task } from '../task.js';

export interface ThumbnailOptions {
  /** Of the longer side; a smaller picture keeps its size. */
  readonly maxSidePx: number;
}

export interface ThumbnailResult {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The whole picture, small, the way it is meant to be seen. */
export const thumbnail: Task<'thumbnail', ThumbnailOptions, ThumbnailResult> = {
  name: 'thumbnail',
  detailPx: ({ maxSidePx }) => maxSidePx,
  rasters: () => 1,
  async run({ picture }, { maxSidePx }) {
    const scale = Math.min(1, maxSidePx / Math.max(picture.width, picture.height));
    const width = Math.max(1, Math.round(picture.width * scale));
    const height = Math.max(1, Math.round(picture.height * scale));
    const rgb = await picture.raster({ width, height });
    return { jpeg: await encodeJpeg(rgb, { width, height }), width, height };
  },
};
