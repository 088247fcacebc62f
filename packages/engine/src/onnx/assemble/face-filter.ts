import { ImportError } from '../import-error.js';
import type { HeadSpec } from '../recipe.js';
import type { Head } from './head.js';

/** MTCNN's third net: the probability of a face, and the points of eyes, nose and mouth. */
export const faceFilter: Head<HeadSpec<'face-filter'>> = {
  freeSize: false,
  outputs: ({ probabilities, points }) => [probabilities, points],
  write(builder, [probabilities, points]) {
    if (probabilities === undefined || points === undefined)
      throw new ImportError('probabilities or points are missing');
    const second = builder.scalar('int64', 1, 'face');
    const float = { type: 'float32' } as const;
    const face = builder.node('Gather', [probabilities, second], { axis: 1 }, { ...float, dims: [-1] });
    builder.output('probability', face, ['batch']);
    const rows = builder.integers([-1, 2, 5], 'rows');
    const apart = builder.node('Reshape', [points, rows], {}, { ...float, dims: [-1, 2, 5] });
    const pairs = builder.node('Transpose', [apart], { perm: [0, 2, 1] }, { ...float, dims: [-1, 5, 2] });
    builder.output('points', pairs, ['batch', 5, 2]);
  },
};
