import type { Evidence } from './evidence.js';

const strides = [8, 16, 32];

/** Cells of YOLO's three grids over the input. */
export function gridCells({ width, height }: Pick<Evidence, 'width' | 'height'>): number {
  return strides.reduce((sum, each) => sum + Math.floor(width / each) * Math.floor(height / each), 0);
}

/** Whether there is a box for each cell, or three as YOLOv5 has. */
export function isGridCount(evidence: Pick<Evidence, 'width' | 'height'>, count: number): boolean {
  const cells = gridCells(evidence);
  return count === cells || count === 3 * cells;
}
