import { integersIn } from '../../../graph/fold.js';
import { asChannelsFirst } from '../../../graph/storage.js';
import { imageDims } from '../../../graph/window.js';
import { ImportError } from '../../../import-error.js';
import type { Operator } from '../operator.js';

/**
 * ResizeBilinear and ResizeNearestNeighbor. Where the image's size is free, the declared sizes give their ratio, which must
 * be a whole number. Pixels are aligned as in
 * tensorflow/core/kernels/image/image_resizer_state.h and resize_nearest_neighbor_op.cc.
 */
export function resize(mode: 'linear' | 'nearest'): Operator {
  return ({ builder, input, attributes }) => {
    const value = input(0);
    const [batch, height, width, channels] = imageDims(value);
    const [toHeight = 0, toWidth = 0] = integersIn(input(1), 'the new size');
    if (!(toHeight >= 1 && toWidth >= 1)) throw new ImportError(`it resizes to ${toHeight}x${toWidth}`);
    const alignCorners = attributes.flag('align_corners', false);
    const halfPixel = attributes.flag('half_pixel_centers', false);
    const placing = alignCorners ? 'align_corners' : halfPixel ? 'half_pixel' : 'asymmetric';
    const rounding = alignCorners || halfPixel ? 'round_prefer_ceil' : 'floor';
    const options = {
      mode,
      coordinate_transformation_mode: placing,
      ...(mode === 'nearest' ? { nearest_mode: rounding } : {}),
    };
    const [scaleY, scaleX] = [toHeight / height, toWidth / width];
    const whole = Number.isInteger(scaleY) && Number.isInteger(scaleX);
    if (builder.freeSize && !whole)
      throw new ImportError(`with a free image size it must scale by whole numbers, not ${scaleY}`);
    const target = whole
      ? [builder.constant('float32', [4], Float32Array.of(1, 1, scaleY, scaleX), 'scales')]
      : [null, builder.integers([batch, channels, toHeight, toWidth], 'sizes')];
    return builder.node('Resize', [asChannelsFirst(builder, value), null, ...target], options, {
      type: value.type,
      dims: [batch, toHeight, toWidth, channels],
      storage: 'channels-first',
    });
  };
}
