import type { GraphBuilder } from '../graph/graph-builder.js';
import { reshape, transpose } from '../graph/move.js';
import type { Value } from '../graph/value.js';
import { ImportError } from '../import-error.js';
import type { HeadSpec } from '../recipe.js';
import type { Head } from './head.js';
import { writeDetections } from './suppress.js';

/** SSD with decoded boxes (Liu et al. 2016): scores [1,n,columns] and boxes yxyx [1,n,1,4] or [1,n,4]. */
export const ssd: Head<HeadSpec<'ssd'>> = {
  freeSize: false,
  outputs: ({ scores, boxes }) => [scores, boxes],
  write(builder, [scores, boxes], { classIds, maxPerClass }) {
    const [batch, count, columns] = scores?.dims ?? [];
    if (
      scores === undefined ||
      boxes === undefined ||
      batch !== 1 ||
      count === undefined ||
      columns === undefined
    ) {
      throw new ImportError(`scores of shape [${scores?.dims}] are not [1,boxes,classes]`);
    }
    const outside = classIds.find((column) => column < 0 || column >= columns);
    if (outside !== undefined)
      throw new ImportError(`class id ${outside} is outside the ${columns} columns of scores`);
    writeDetections(builder, {
      corners: reshape(builder, boxes, [1, count, 4]),
      columns: [1, 0, 3, 2],
      scores: takeClasses(builder, scores, classIds),
      maxPerClass,
    });
  },
};

/** [1,n,columns] to [1,classes,n]. */
function takeClasses(builder: GraphBuilder, scores: Value, classIds: readonly number[]): Value {
  const [batch = 1, , count = 0] = [scores.dims[0], scores.dims[2], scores.dims[1]];
  const turned = transpose(builder, scores, [0, 2, 1]);
  return builder.node(
    'Gather',
    [turned, builder.integers(classIds, 'class_ids')],
    { axis: 1 },
    {
      type: 'float32',
      dims: [batch, classIds.length, count],
    },
  );
}
