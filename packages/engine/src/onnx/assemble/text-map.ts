import type { HeadSpec } from '../recipe.js';
import { type Head, onlyValue } from './head.js';

/** DB's map of probabilities [1,1,h,w], without the axis of its one channel. */
export const textMap: Head<HeadSpec<'text-map'>> = {
  freeSize: true,
  outputs: () => [],
  write(builder, values) {
    const axis = builder.integers([1], 'channel');
    const map = builder.node(
      'Squeeze',
      [onlyValue(values), axis],
      {},
      { type: 'float32', dims: [1, -1, -1] },
    );
    builder.output('map', map, [1, 'height', 'width']);
  },
};
