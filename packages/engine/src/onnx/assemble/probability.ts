import type { HeadSpec } from '../recipe.js';
import { type Head, onlyValue } from './head.js';

/** One class of a few, for nets with a yes-or-no answer. */
export const probability: Head<HeadSpec<'probability'>> = {
  freeSize: false,
  outputs: () => [],
  write(builder, values, { column, softmax, output }) {
    const given = onlyValue(values);
    const row = { type: 'float32', dims: [-1, -1] } as const;
    const probabilities = softmax ? builder.node('Softmax', [given], { axis: 1 }, row) : given;
    const index = builder.scalar('int64', column, 'column');
    const picked = builder.node(
      'Gather',
      [probabilities, index],
      { axis: 1 },
      { type: 'float32', dims: [-1] },
    );
    builder.output(output, picked, ['batch']);
  },
};
