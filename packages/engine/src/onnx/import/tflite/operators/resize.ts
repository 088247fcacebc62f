import { asChannelsFirst } from '../../../graph/storage.js';
import { imageDims } from '../../../graph/window.js';
import type { NodeContext, Operator } from '../operator.js';

/** To the size that the file declares for the output. Pixels are aligned as in TensorFlow's operators of the same names. */
function resize(name: string, mode: 'linear' | 'nearest', fields: readonly [number, number]): Operator {
  return {
    name,
    keepsRange: true,
    write({ builder, input, options, output }: NodeContext) {
      const value = input(0);
      const [batch, , , channels] = imageDims(value);
      const [, height = 0, width = 0] = output.dims;
      const [alignCorners, halfPixel] = fields.map((field) => (options?.byte(field, 0) ?? 0) !== 0);
      const placing = alignCorners ? 'align_corners' : halfPixel ? 'half_pixel' : 'asymmetric';
      const rounding = alignCorners || halfPixel ? 'round_prefer_ceil' : 'floor';
      const sizes = builder.integers([batch, channels, height, width], 'sizes');
      const attributes = {
        mode,
        coordinate_transformation_mode: placing,
        ...(mode === 'nearest' && { nearest_mode: rounding }),
      };
      return builder.node('Resize', [asChannelsFirst(builder, value), null, null, sizes], attributes, {
        type: 'float32',
        dims: [batch, height, width, channels],
        storage: 'channels-first',
      });
    },
  };
}

export const resizeBilinear = resize('RESIZE_BILINEAR', 'linear', [2, 3]);
export const resizeNearest = resize('RESIZE_NEAREST_NEIGHBOR', 'nearest', [0, 1]);
