import type { HeadSpec } from '../recipe.js';
import { type Head, onlyValue } from './head.js';

/** Points as x, y pairs. */
export const landmarks: Head<HeadSpec<'landmarks'>> = {
  freeSize: false,
  outputs: () => [],
  write(builder, values, { count }) {
    const pairs = builder.integers([-1, count, 2], 'pairs');
    const points = builder.node(
      'Reshape',
      [onlyValue(values), pairs],
      {},
      { type: 'float32', dims: [-1, count, 2] },
    );
    builder.output('points', points, ['batch', count, 2]);
  },
};
