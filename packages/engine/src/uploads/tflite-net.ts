import type { GraphBuilder } from '../onnx/graph/graph-builder.js';
import { asDims } from '../onnx/graph/storage.js';
import type { Value } from '../onnx/graph/value.js';
import { importTflite, type TfliteWeights, tensorAt } from '../onnx/import/tflite/import-tflite.js';
import { type ActivationScale, activationScale, quantiseAndBack } from '../onnx/import/tflite/quantise.js';
import { readTfliteModel, type TfliteModel, type TfliteTensor } from '../onnx/import/tflite/tflite-model.js';
import { ImportError } from '../onnx/import-error.js';
import type { ImageScale } from '../onnx/recipe.js';
import { builtNet } from './built-net.js';
import { hintsBeside, mergeHints } from './files-beside.js';
import type { ImportOptions } from './import-options.js';
import type { UploadLimits } from './limits.js';
import type { Net, NetHints } from './net.js';
import { readPostProcess, writeDecoded } from './tflite-post-process.js';
import { unpack } from './unpack.js';
import { UploadRefused } from './upload-refused.js';

/** A TFLite model, quantised or not; labels packed into it by TensorFlow's metadata tools are read too. */
export async function readTfliteNet(
  bytes: Uint8Array,
  options: ImportOptions,
  limits: UploadLimits,
): Promise<Net> {
  const model = readTfliteModel(bytes);
  const input = tensorAt(model, model.inputs[0]);
  const hints = mergeHints(await packedHints(bytes, limits), scaleHint(input));
  // 8 bits run twice as fast, where every tensor has them.
  if (inputSteps(input) === undefined) return writeNet(model, input, 'float32', options, hints);
  try {
    return writeNet(model, input, 'int8', options, hints);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return writeNet(model, input, 'float32', options, hints);
  }
}

function writeNet(
  model: TfliteModel,
  tensor: TfliteTensor,
  weights: TfliteWeights,
  options: ImportOptions,
  hints: NetHints,
): Net {
  const [batch, height, width, channels, more] = tensor.dims;
  if (batch !== 1 || more !== undefined) {
    throw new UploadRefused(`the model takes [${tensor.dims}]; an image [1,height,width,3] is needed`);
  }
  const last = readPostProcess(model);
  const scale = inputSteps(tensor);
  const declared = {
    height,
    width,
    channels,
    options,
    hints: last ? { ...hints, family: 'detector' as const } : hints,
  };
  return builtNet('tflite', declared, (builder, image) => {
    const fed = scale === undefined || weights === 'float32' ? image : quantiseAndBack(builder, image, scale);
    const operators = last ? model.operators.filter((node) => node !== last.node) : model.operators;
    const values = importTflite(builder, { ...model, operators }, weights, fed);
    if (last === undefined) return plainOutputs(builder, model, values);
    return writeDecoded(builder, last, (index) => valueAt(model, values, index));
  });
}

function plainOutputs(builder: GraphBuilder, model: TfliteModel, values: ReadonlyMap<number, Value>) {
  return model.outputs.map((index) => ({
    title: tensorAt(model, index).name,
    value: asDims(builder, valueAt(model, values, index)),
  }));
}

function valueAt(model: TfliteModel, values: ReadonlyMap<number, Value>, index: number): Value {
  const value = values.get(index);
  if (value !== undefined) return value;
  throw new ImportError(`no operator gives the output ${tensorAt(model, index).name}`);
}

/** Undefined for floats, and for bytes that the graph itself casts. */
function inputSteps(tensor: TfliteTensor): ActivationScale | undefined {
  return isPlainBytes(tensor) ? undefined : activationScale(tensor);
}

function isPlainBytes({ type, quantisation }: TfliteTensor): boolean {
  return (type === 'uint8' || type === 'int8') && (quantisation?.scales.length ?? 0) === 0;
}

/** Steps of a quantised input are the bytes of the image: their meaning is that of the training. */
function scaleHint(tensor: TfliteTensor): { scale?: ImageScale } {
  const channels = tensor.dims[3] === 1 ? 'grey' : 'rgb';
  if (isPlainBytes(tensor))
    return { scale: { channels, mean: [tensor.type === 'int8' ? 128 : 0], std: [1] } };
  const steps = activationScale(tensor);
  if (steps === undefined) return {};
  const zeroPoint = steps.type === 'int8' ? steps.zeroPoint + 128 : steps.zeroPoint;
  return { scale: { channels, mean: [zeroPoint], std: [1 / steps.scale] } };
}

/** TensorFlow's metadata tools append a zip with the labels, and Ultralytics one with its metadata. */
async function packedHints(bytes: Uint8Array, limits: UploadLimits): Promise<NetHints> {
  try {
    return hintsBeside(await unpack(bytes, limits.maxUnpackedBytes));
  } catch (error) {
    // Most files have no zip at their end.
    if (error instanceof UploadRefused) return {};
    throw error;
  }
}
