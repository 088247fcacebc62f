import { type Drawing, drawMarks, type Mark } from '../../image/annotate.js';
import { detailOfReduced, type ImageRegion } from '../../image/reduced.js';
import type { Task } from '../task.js';

export interface DrawTaskOptions {
  /** Of the longer side of the drawing; a smaller image, or part of it, keeps its size. */
  readonly maxSidePx: number;
  /** Of the JPEG, 1 to 100. */
  readonly quality: number;
  /** In pixels of the image, the first on top; without any it is a plain JPEG. */
  readonly marks: readonly Mark[];
  /** The part to draw; the whole image when absent, or when the part is outside. */
  readonly crop?: ImageRegion;
}

/** The image or a part of it, reduced, with marks drawn on it: a snapshot, or the view of a camera. */
export const draw: Task<'draw', DrawTaskOptions, Drawing> = {
  name: 'draw',
  detailPx: ({ maxSidePx, crop }) => detailOfReduced(maxSidePx, crop),
  rasters: () => 1,
  run: ({ image }, { marks, ...options }) => drawMarks(image, marks, options),
};
