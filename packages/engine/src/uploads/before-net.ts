import { scaledImage } from '../onnx/assemble/image-input.js';
import { elementsOf, elementTypeCodes } from '../onnx/graph/element-type.js';
import { GraphBuilder } from '../onnx/graph/graph-builder.js';
import { asDims } from '../onnx/graph/storage.js';
import type { Value } from '../onnx/graph/value.js';
import type { Model } from '../onnx/proto/model.js';
import type { Net, NetConstant } from './net.js';
import type { InputPlan } from './plan.js';

/** From the uint8 image to the inputs of the net: `prepared`, and an output for each constant of the net. */
export function beforeNet({ input, constants }: Net, { width, height, scale }: InputPlan): Model {
  const builder = new GraphBuilder();
  const scaled = scaledImage(builder, [1, height, width], scale);
  const ordered =
    input.order === 'nhwc' ? asDims(builder, scaled) : ({ ...scaled, storage: 'as-dims' } as const);
  const sides = input.order === 'nhwc' ? [height, width, input.channels] : [input.channels, height, width];
  const value = input.hasBatch
    ? ordered
    : builder.node('Reshape', [ordered, builder.integers(sides)], {}, { type: 'float32', dims: sides });
  const type = input.type;
  builder.output('prepared', type === elementTypeCodes.float32 ? value : cast(builder, value, type));
  for (const constant of constants) {
    builder.output(
      constant.name,
      cast(builder, constantValue(builder, constant, width, height), constant.type),
    );
  }
  return builder.finish('before');
}

function constantValue(
  builder: GraphBuilder,
  { kind, dims }: NetConstant,
  width: number,
  height: number,
): Value {
  if (kind === 'size') return builder.constant('int64', [1, 2], elementsOf('int64', [width, height]), 'size');
  const count = dims.reduce((product, side) => product * side, 1);
  return builder.constant('int64', dims, elementsOf('int64', new Array<number>(count).fill(1)), 'mask');
}

/** To any element type that ONNX numbers, half floats among them. */
export function cast(builder: GraphBuilder, value: Value, to: number): Value {
  return builder.node('Cast', [value], { to }, { type: 'float32', dims: value.dims, storage: value.storage });
}
