import type { GraphBuilder } from '../graph/graph-builder.js';
import type { Value } from '../graph/value.js';
import { ImportError } from '../import-error.js';
import type { HeadSpec } from '../recipe.js';
import { type Anchors, writeAnchors } from './anchors.js';
import type { Head } from './head.js';
import { writeDetections } from './suppress.js';

/** Variances of SSD (Liu et al. 2016), by which offsets were divided in training. */
const [centreVariance, sizeVariance] = [0.1, 0.2];

const float = { type: 'float32', dims: [-1] } as const;

/** Faces at anchors, decoded as in SSD: centre = anchor + 0.1 l x size, size = anchor x exp(0.2 l). */
export const anchoredFaces: Head<HeadSpec<'anchored-faces'>> = {
  freeSize: true,
  outputs: ({ scores, offsets, image }) => [scores, offsets, image],
  write(builder, [scores, offsets, image], { anchors, maxFaces }) {
    if (scores === undefined || offsets === undefined || image === undefined)
      throw new ImportError('scores, offsets or the image are missing');
    const face = builder.node('Gather', [scores, builder.integers([1], 'face')], { axis: 2 }, float);
    writeDetections(builder, {
      corners: decode(builder, offsets, writeAnchors(builder, image, anchors)),
      columns: [0, 1, 2, 3],
      scores: builder.node('Transpose', [face], { perm: [0, 2, 1] }, { ...float, dims: [1, 1, -1] }),
      maxPerClass: maxFaces,
      oneClass: true,
    });
  },
};

/** Offsets [1,n,4] to corners [1,n,4]. */
function decode(builder: GraphBuilder, offsets: Value, { centres, sizes }: Anchors): Value {
  const [ofCentre, ofSize] = builder.nodes('Split', [offsets, builder.integers([2, 2])], { axis: 2 }, [
    float,
    float,
  ]);
  if (ofCentre === undefined || ofSize === undefined) throw new ImportError('the offsets are not four');
  const compute = (op: string, ...inputs: Value[]) => builder.node(op, inputs, {}, float);
  const number = (value: number) => builder.scalar('float32', value);
  const centre = compute(
    'Add',
    centres,
    compute('Mul', compute('Mul', ofCentre, number(centreVariance)), sizes),
  );
  const half = compute(
    'Mul',
    compute('Exp', compute('Mul', ofSize, number(sizeVariance))),
    compute('Mul', sizes, number(0.5)),
  );
  const corners = [compute('Sub', centre, half), compute('Add', centre, half)];
  return builder.node('Concat', corners, { axis: 2 }, { ...float, dims: [1, -1, 4] });
}
