import { asChannelsFirst } from '../../../graph/storage.js';
import { imageDims } from '../../../graph/window.js';
import { ImportError } from '../../../import-error.js';
import type { Operator } from '../operator.js';

/** FusedBatchNorm and its later versions at inference; ONNX Runtime merges it into a convolution before it. */
export const fusedBatchNorm: Operator = ({ builder, input, inputs, attributes }) => {
  if (attributes.flag('is_training', false))
    throw new ImportError('it is in training mode; export the model for inference');
  const value = input(0);
  imageDims(value);
  const epsilon = attributes.float('epsilon', 1e-4);
  return builder.node(
    'BatchNormalization',
    [asChannelsFirst(builder, value), ...inputs.slice(1, 5)],
    { epsilon: { float: epsilon } },
    {
      type: 'float32',
      dims: value.dims,
      storage: 'channels-first',
    },
  );
};
