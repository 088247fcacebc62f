import { integersIn } from '../../../graph/fold.js';
import { asChannelsFirst, permute } from '../../../graph/storage.js';
import { ImportError } from '../../../import-error.js';
import type { Operator } from '../operator.js';

/** Pad and PadV2; the filling may be minus infinity, which stands before max pools. */
export const pad: Operator = ({ builder, input, inputs }) => {
  const value = input(0);
  const rank = value.dims.length;
  const pairs = integersIn(input(1), 'the paddings');
  if (pairs.length !== 2 * rank || pairs.some((side) => side < 0 || side > 8192)) {
    throw new ImportError(`paddings of [${pairs}] do not fit [${value.dims}]`);
  }
  const before = value.dims.map((_, axis) => pairs[2 * axis] ?? 0);
  const after = value.dims.map((_, axis) => pairs[2 * axis + 1] ?? 0);
  const dims = value.dims.map((side, axis) => side + (before[axis] ?? 0) + (after[axis] ?? 0));
  const filling = inputs[2] ?? builder.scalar(value.type, 0, 'filling');
  const images = rank === 4;
  const order = images ? [0, 3, 1, 2] : value.dims.map((_, axis) => axis);
  const pads = builder.integers([...permute(before, order), ...permute(after, order)], 'pads');
  const stored = images ? asChannelsFirst(builder, value) : value;
  return builder.node(
    'Pad',
    [stored, pads, filling],
    { mode: 'constant' },
    {
      type: value.type,
      dims,
      storage: images ? 'channels-first' : 'as-dims',
    },
  );
};
