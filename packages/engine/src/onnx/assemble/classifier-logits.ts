import { slice } from '../graph/move.js';
import { asDims } from '../graph/storage.js';
import { ImportError } from '../import-error.js';
import type { HeadSpec } from '../recipe.js';
import type { Head } from './head.js';

/** Logits [1,n]: the classes before `firstClass` are dropped, and the rest become probabilities that sum to 1. */
export const classifierLogits: Head<HeadSpec<'classifier-logits'>> = {
  freeSize: false,
  outputs: () => [],
  write(builder, [logits], { firstClass }) {
    const [batch, classes] = logits?.dims ?? [];
    if (logits === undefined || logits.dims.length !== 2 || batch !== 1 || classes === undefined) {
      throw new ImportError(`the model gives [${logits?.dims}], not logits of shape [1,classes]`);
    }
    const count = classes - firstClass;
    if (count < 1) throw new ImportError(`firstClass ${firstClass} leaves none of the ${classes} classes`);
    const kept = slice(builder, asDims(builder, logits), [0, firstClass], [1, count], [1, 1]);
    const probabilities = builder.node('Softmax', [kept], { axis: 1 }, { type: 'float32', dims: [1, count] });
    builder.output('probabilities', probabilities, [1, count]);
  },
};
