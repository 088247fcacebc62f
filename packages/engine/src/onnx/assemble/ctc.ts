import type { HeadSpec } from '../recipe.js';
import { type Head, onlyValue } from './head.js';

/**
 * The best of the allowed characters of each step, and its probability: a few numbers instead of thousands per step. The
 * probabilities of the others are not handed on to those allowed, so that a step that shows none of them scores low. A second output of the net is
 * that of `withReadability`.
 */
export const ctc: Head<HeadSpec<'ctc'>> = {
  freeSize: true,
  outputs: () => [],
  write(builder, values, { space }) {
    const [all, readable] = values.length === 2 ? values : [onlyValue(values)];
    if (all === undefined) return;
    if (readable) builder.output('readable', readable, ['batch', 'steps']);
    const dims = [-1, -1];
    const allowed = builder.input('allowed', 'float32', ['columns'], [-1]);
    const result = { type: 'float32', dims: [-1, -1, -1] } as const;
    const probabilities = builder.node('Mul', [all, allowed], {}, result);
    const best = builder.node('ArgMax', [probabilities], { axis: 2, keepdims: 0 }, { type: 'int64', dims });
    const attributes = { axes: [2], keepdims: 0 };
    const score = builder.node('ReduceMax', [probabilities], attributes, { type: 'float32', dims });
    builder.output('characters', best, ['batch', 'steps']);
    builder.output('scores', score, ['batch', 'steps']);
    if (space === undefined) return;
    const index = builder.scalar('int64', space, 'space');
    const spaces = builder.node('Gather', [probabilities, index], { axis: 2 }, { type: 'float32', dims });
    builder.output('spaces', spaces, ['batch', 'steps']);
  },
};
