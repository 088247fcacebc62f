import { elementsOf, elementTypeCodes } from '../graph/element-type.js';
import { elementwise } from '../graph/elementwise.js';
import type { GraphBuilder } from '../graph/graph-builder.js';
import type { Value } from '../graph/value.js';
import { convolve } from '../graph/window.js';
import { ImportError } from '../import-error.js';
import type { ImageScale } from '../recipe.js';

/** Luma of BT.601, for nets that were trained on grey images. */
const luma = [0.299, 0.587, 0.114];

/** Nominal side where a size is free; only messages depend on it. */
const nominalSide = 64;

/**
 * The uint8 input `image` [n,h,w,3] as the float input of a net. Bytes are transposed and reordered while they are
 * bytes, which is a quarter of the data.
 * @param sides Number of images, height, width.
 */
export function scaledImage(
  builder: GraphBuilder,
  sides: readonly [number | 'free', number | 'free', number | 'free'],
  scale: ImageScale,
): Value {
  const [batch, height, width] = sides.map((side, axis) =>
    side === 'free' ? (axis === 0 ? 1 : nominalSide) : side,
  );
  const names = ['batch', 'height', 'width'];
  const declared = [...sides.map((side, axis) => (side === 'free' ? (names[axis] ?? '') : side)), 3];
  const image = builder.input('image', 'uint8', declared, [batch ?? 1, height ?? 1, width ?? 1, 3]);
  const turned = builder.node(
    'Transpose',
    [image],
    { perm: scale.transposed === true ? [0, 3, 2, 1] : [0, 3, 1, 2] },
    {
      type: 'uint8',
      dims: scale.transposed === true ? [batch ?? 1, width ?? 1, height ?? 1, 3] : image.dims,
      storage: 'channels-first',
    },
  );
  const ordered =
    scale.channels === 'bgr'
      ? builder.node('Gather', [turned, builder.integers([2, 1, 0], 'bgr')], { axis: 1 }, turned)
      : turned;
  const floats = builder.node(
    'Cast',
    [ordered],
    { to: elementTypeCodes.float32 },
    { ...turned, type: 'float32' },
  );
  return normalise(builder, scale.channels === 'grey' ? toGrey(builder, floats) : floats, scale);
}

function toGrey(builder: GraphBuilder, image: Value): Value {
  const weights = builder.constant('float32', [1, 3, 1, 1], Float32Array.from(luma), 'luma');
  const window = { kernel: [1, 1], strides: [1, 1], dilations: [1, 1], padding: { kind: 'valid' } } as const;
  return convolve(builder, image, weights, null, window, 1);
}

function normalise(builder: GraphBuilder, image: Value, { mean, std }: ImageScale): Value {
  const channels = image.dims.at(-1) ?? 0;
  const perChannel = (numbers: readonly number[], name: string) => {
    if (numbers.length === 1 || numbers.length === channels) return constantOf(numbers, name);
    throw new ImportError(`the recipe has ${numbers.length} numbers of ${name} for ${channels} channels`);
  };
  const constantOf = (numbers: readonly number[], name: string) =>
    builder.constant('float32', [numbers.length], elementsOf('float32', numbers), name);
  const centred = mean.every((number) => number === 0)
    ? image
    : elementwise(builder, 'Sub', [image, perChannel(mean, 'mean')]);
  if (std.every((number) => number === 1)) return centred;
  const factors = std.map((number) => 1 / number);
  return elementwise(builder, 'Mul', [centred, perChannel(factors, 'factor')]);
}
