import type { HeadSpec } from '../recipe.js';
import { type Head, onlyValue } from './head.js';

/** Below the length of any meaningful vector; keeps an all-zero vector from becoming NaN. */
const leastLength = 1e-12;

/** A vector of length 1, so that a product of two is their cosine. */
export const embedding: Head<HeadSpec<'embedding'>> = {
  freeSize: false,
  outputs: () => [],
  write(builder, values) {
    const vector = onlyValue(values);
    const float = { type: 'float32', dims: [-1, -1] } as const;
    const length = builder.node('ReduceL2', [vector], { axes: [1], keepdims: 1 }, float);
    const divisor = builder.node('Max', [length, builder.scalar('float32', leastLength)], {}, float);
    builder.output('embedding', builder.node('Div', [vector, divisor], {}, float), ['batch', 'length']);
  },
};
