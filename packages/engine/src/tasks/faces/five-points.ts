import type { Point } from '../../image/box.js';
import type { FivePoints } from './face.js';

export function fivePointsOf(at: (index: number) => Point): FivePoints {
  return [at(0), at(1), at(2), at(3), at(4)];
}
