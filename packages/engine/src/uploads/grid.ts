import type { Evidence } from './evidence.js';

type Size = Pick<Evidence, 'width' | 'height'>;

/** Pixels between the cells of YOLO's three grids. */
export const strides = [8, 16, 32];
/** Strides and boxes of a cell: YOLO's usual grids, one more for small objects or for large images, and YOLOv3-tiny. */
const knownGrids: readonly (readonly [readonly number[], readonly number[]])[] = [
  [strides, [1, 3]],
  [
    [4, ...strides],
    [1, 3],
  ],
  [
    [...strides, 64],
    [1, 3],
  ],
  [[16, 32], [3]],
];

/** Cells of grids over the input. */
export function gridCells({ width, height }: Size, of: readonly number[] = strides): number {
  return of.reduce((sum, stride) => sum + Math.floor(width / stride) * Math.floor(height / stride), 0);
}

/** Whether there are as many boxes as a YOLO has before its overlaps are suppressed. */
export function isGridCount(size: Size, count: number): boolean {
  return knownGrids.some(([of, perCell]) => perCell.some((boxes) => count === boxes * gridCells(size, of)));
}
