import type { GraphBuilder } from '../../graph/graph-builder.js';
import type { Value } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import { readWeights } from '../tfjs/weights.js';
import type { LayerWriter } from './layer.js';
import { LayerConfig } from './layer-config.js';
import { activation, leakyRelu, prelu, relu, softmax } from './layers/activation.js';
import {
  batchNormalization,
  conv2d,
  depthwiseConv2d,
  pooling,
  separableConv2d,
} from './layers/convolution.js';
import {
  concatenate,
  dense,
  flatten,
  globalPooling,
  merge,
  pass,
  rescaling,
  reshapeLayer,
  subtract,
  upSampling2d,
  zeroPadding2d,
} from './layers/shaping.js';
import { type Chained, innerModel, type Layer, type LayersModel, type Networked } from './layers-model.js';

/** Every layer that can be converted, by Keras' name. */
const layers: ReadonlyMap<string, LayerWriter> = new Map<string, LayerWriter>([
  ['Activation', activation],
  ['Add', merge('Add')],
  ['AveragePooling2D', pooling('AveragePool')],
  ['BatchNormalization', batchNormalization],
  ['Concatenate', concatenate],
  ['Conv2D', conv2d],
  ['Dense', dense],
  ['DepthwiseConv2D', depthwiseConv2d],
  ['Dropout', pass],
  ['Flatten', flatten],
  ['GaussianDropout', pass],
  ['GaussianNoise', pass],
  ['GlobalAveragePooling2D', globalPooling('GlobalAveragePool')],
  ['GlobalMaxPooling2D', globalPooling('GlobalMaxPool')],
  ['InputLayer', pass],
  ['LeakyReLU', leakyRelu],
  ['MaxPooling2D', pooling('MaxPool')],
  ['Maximum', merge('Max')],
  ['Minimum', merge('Min')],
  ['Multiply', merge('Mul')],
  ['PReLU', prelu],
  ['ReLU', relu],
  ['Rescaling', rescaling],
  ['Reshape', reshapeLayer],
  ['SeparableConv2D', separableConv2d],
  ['Softmax', softmax],
  ['SpatialDropout2D', pass],
  ['Subtract', subtract],
  ['UpSampling2D', upSampling2d],
  ['ZeroPadding2D', zeroPadding2d],
]);

/** Models within models; Teachable Machine's exports have three. */
const maxDepth = 8;

interface Import {
  readonly builder: GraphBuilder;
  readonly weights: ReadonlyMap<string, Value>;
}

/**
 * Writes a TF.js LayersModel into `builder`.
 * @param image Floats [1,h,w,3].
 * @returns The values of the model's outputs, in order.
 */
export function importLayers(
  builder: GraphBuilder,
  { root, weightsManifest }: LayersModel,
  shards: readonly Uint8Array[],
  image: Value,
): Value[] {
  const manifest = weightsManifest.map(({ weights }) => ({ weights: [...weights] }));
  return writeModel({ builder, weights: readWeights(builder, manifest, shards) }, root, [image], 0);
}

/** The declared dims of the image, without the batch; undefined where they are free. */
export function declaredInput(root: Layer): (number | undefined)[] {
  for (let layer: Layer | undefined = root, depth = 0; layer !== undefined && depth <= maxDepth; depth++) {
    const config = new LayerConfig(layer.config);
    for (const name of ['batch_input_shape', 'batchInputShape', 'batch_shape']) {
      if (config.has(name)) return sidesOf(layer.config, name);
    }
    layer = innerModel(layer)?.layers[0];
  }
  return [];
}

function sidesOf(config: unknown, name: string): (number | undefined)[] {
  const list: unknown = config !== null && typeof config === 'object' ? Reflect.get(config, name) : undefined;
  if (!Array.isArray(list)) return [];
  return list.slice(1).map((side: unknown) => (typeof side === 'number' ? side : undefined));
}

function writeModel(run: Import, layer: Layer, inputs: readonly Value[], depth: number): Value[] {
  if (depth > maxDepth) throw new ImportError(`models are nested more than ${maxDepth} deep`);
  const inner = innerModel(layer);
  if (inner === undefined) return [writeLayer(run, layer, inputs)];
  return inner.kind === 'chain'
    ? writeChain(run, inner, inputs, depth)
    : writeNetwork(run, inner, inputs, depth);
}

function writeChain(
  run: Import,
  { layers: list }: Chained,
  inputs: readonly Value[],
  depth: number,
): Value[] {
  return list
    .reduce<readonly Value[]>((values, layer) => writeModel(run, layer, values, depth + 1), inputs)
    .slice();
}

function writeNetwork(run: Import, model: Networked, inputs: readonly Value[], depth: number): Value[] {
  const values = new Map<string, readonly Value[]>();
  model.inputs.forEach((name, index) => {
    const input = inputs[index];
    if (input !== undefined) values.set(name, [input]);
  });
  for (const layer of model.layers) {
    const name = layer.name ?? new LayerConfig(layer.config).text('name', '');
    if (values.has(name)) continue;
    const nodes = layer.inbound_nodes ?? [];
    if (nodes.length > 1)
      throw new ImportError(`layer ${name} is used ${nodes.length} times, which is not supported`);
    const given = (nodes[0] ?? []).map(([from, , at]) => {
      const value = values.get(String(from))?.[Number(at ?? 0)];
      if (value === undefined)
        throw new ImportError(`layer ${name} reads ${String(from)}, which is not known yet`);
      return value;
    });
    values.set(name, writeModel(run, layer, given, depth + 1));
  }
  return model.outputs.map((name) => {
    const [value] = values.get(name) ?? [];
    if (value === undefined) throw new ImportError(`the model has no layer ${name}`);
    return value;
  });
}

function writeLayer({ builder, weights }: Import, layer: Layer, inputs: readonly Value[]): Value {
  const config = new LayerConfig(layer.config);
  const name = layer.name ?? config.text('name', '');
  try {
    const write = layers.get(layer.class_name);
    if (write === undefined) throw new ImportError('this layer is not supported');
    const [input] = inputs;
    if (input === undefined) throw new ImportError('it has no input');
    return write({
      builder,
      config,
      inputs,
      input,
      weight: (part) => {
        const found = weights.get(`${name}/${part}`) ?? nested(weights, `/${name}/${part}`);
        if (found === undefined) throw new ImportError(`the file has no weight ${name}/${part}`);
        return found;
      },
    });
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    throw new ImportError(`layer ${name} (${layer.class_name}): ${error.message}`, { cause: error });
  }
}

/** Nested models prefix the names of their weights. */
function nested(weights: ReadonlyMap<string, Value>, end: string): Value | undefined {
  for (const [name, value] of weights) if (name.endsWith(end)) return value;
  return undefined;
}
