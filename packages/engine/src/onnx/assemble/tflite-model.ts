import { elementTypeCodes } from '../graph/element-type.js';
import { elementwise } from '../graph/elementwise.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { asChannelsFirst } from '../graph/storage.js';
import type { Value } from '../graph/value.js';
import { importTflite, type TfliteWeights, tensorAt } from '../import/tflite/import-tflite.js';
import { type ActivationScale, activationScale, dequantise } from '../import/tflite/quantise.js';
import { readTfliteModel, type TfliteModel } from '../import/tflite/tflite-model.js';
import { ImportError } from '../import-error.js';
import type { ImageScale, Recipe } from '../recipe.js';
import { scaledImage } from './image-input.js';
import type { BoundHead } from './registry.js';

/** A TFLite model from the uint8 image to the outputs of its head. */
export function assembleTflite(
  bytes: Uint8Array,
  { weights, scale }: Extract<Recipe, { importer: 'tflite' }>,
  head: BoundHead,
): GraphBuilder {
  const model = readTfliteModel(bytes);
  const builder = new GraphBuilder(false, scale !== undefined);
  const image =
    scale === undefined ? quantisedInput(builder, model, weights) : floatInput(builder, model, scale);
  const values = importTflite(builder, model, weights, image);
  const indices = head.outputs.length > 0 ? head.outputs.map((name) => indexOf(model, name)) : model.outputs;
  head.write(
    builder,
    indices.map((index) => {
      const value = values.get(index);
      if (value === undefined)
        throw new ImportError(`no operator gives the output ${tensorAt(model, index).name}`);
      return value;
    }),
  );
  return builder;
}

/** Any number of images, brought to the range that the net was trained on. */
function floatInput(builder: GraphBuilder, model: TfliteModel, scale: ImageScale): Value {
  const { dims, type } = tensorAt(model, model.inputs[0]);
  const [batch, first, second, channels, more] = dims;
  const wanted = scale.channels === 'grey' ? 1 : 3;
  if (type !== 'float32' || batch !== 1 || !first || !second || channels !== wanted || more !== undefined) {
    throw new ImportError(`the input is ${type} [${dims}]; float32 [1,height,width,${wanted}] is needed`);
  }
  const [height, width] = scale.transposed === true ? [second, first] : [first, second];
  return scaledImage(builder, ['free', height, width], scale);
}

/** The bytes of the image are the steps of the quantised input, so the input needs no computation. */
function quantisedInput(builder: GraphBuilder, model: TfliteModel, weights: TfliteWeights): Value {
  const tensor = tensorAt(model, model.inputs[0]);
  const [batch, , , channels, more] = tensor.dims;
  if (batch !== 1 || channels !== 3 || more !== undefined) {
    throw new ImportError(
      `the input has the shape [${tensor.dims}]; an image of [1,height,width,3] is needed`,
    );
  }
  const scale = activationScale(tensor);
  if (scale === undefined)
    throw new ImportError(
      'the input is float: the recipe must say what range it wants (scale), or the model must be quantised',
    );
  const bytes = asBytes(scale);
  const image = asChannelsFirst(builder, builder.input('image', 'uint8', tensor.dims));
  if (weights === 'int8') return dequantise(builder, image, bytes);
  const to = elementTypeCodes.float32;
  const result = { type: 'float32', dims: tensor.dims, storage: image.storage } as const;
  const steps = builder.node('Cast', [image], { to }, result);
  const centred = elementwise(builder, 'Sub', [
    steps,
    builder.scalar('float32', bytes.zeroPoint, 'zero_point'),
  ]);
  return elementwise(builder, 'Mul', [centred, builder.scalar('float32', bytes.scale, 'scale')]);
}

/** An int8 input means the same steps less 128. */
function asBytes({ type, scale, zeroPoint }: ActivationScale): ActivationScale {
  return { type: 'uint8', scale, zeroPoint: type === 'int8' ? zeroPoint + 128 : zeroPoint };
}

function indexOf(model: TfliteModel, name: string): number {
  const index = model.tensors.findIndex((tensor) => tensor.name === name);
  if (index < 0) throw new ImportError(`the TFLite file has no tensor named ${name}`);
  return index;
}
