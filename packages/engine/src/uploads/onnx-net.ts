import { GraphBuilder } from '../onnx/graph/graph-builder.js';
import { importOnnx, outputNames } from '../onnx/import/onnx/import-onnx.js';
import { readModel } from '../onnx/proto/codec.js';
import type { Model, ValueInfo } from '../onnx/proto/model.js';
import { checkOnnx, opsetOf } from './check-onnx.js';
import { metadataHints } from './metadata-hints.js';
import type { Net, NetConstant, NetHints, NetInput } from './net.js';
import { readableOutputs, withOutputs } from './onnx-outputs.js';
import { scaleInside } from './scale-inside.js';
import { scanOnnx } from './scan-onnx.js';
import { UploadRefused } from './upload-refused.js';

/** Nodes that are written around a net are valid from this opset on; older nets are rewritten in a newer one. */
const oldestWrapped = 11;

const maxMaskSide = 2048;

const tensorNames = new Map([
  [1, 'float32'],
  [2, 'uint8'],
  [3, 'int8'],
  [10, 'float16'],
  [11, 'float64'],
]);

export function readOnnxNet(bytes: Uint8Array): Net {
  scanOnnx(bytes);
  const given = readModel(bytes);
  checkOnnx(given);
  const { image, constants } = inputsOf(given);
  const input = imageInput(image);
  const { outputs, labels } = readableOutputs(given);
  if (outputs.length === 0)
    throw new UploadRefused('no output of the model holds numbers; export it with its scores');
  const model = withOutputs(
    given,
    outputs.map(({ name }) => name),
  );
  return {
    format: 'onnx',
    model: opsetOf(given) < oldestWrapped ? lift(model, image) : model,
    input,
    constants,
    outputs,
    hints: hintsOf(given, input, labels),
  };
}

function hintsOf(model: Model, input: NetInput, zipped: readonly string[] | undefined): NetHints {
  const { metadataProps = [], graph } = model;
  const hints = metadataHints(new Map(metadataProps.map(({ key = '', value = '' }) => [key, value])));
  const inside = scaleInside(graph, input.name);
  const detector = torchvisionHint(graph);
  // What the graph does itself counts more than what its exporter wrote.
  const scale = inside && { ...inside, channels: hints.scale?.channels ?? inside.channels };
  const fed = scale?.std[0] === 1 ? 'bytes' : 'fractions';
  return {
    ...(zipped && zipped.length > 0 && { labels: zipped }),
    ...hints,
    ...(scale && { scale, notes: [`The graph begins with a preprocessing of its own, and is fed ${fed}.`] }),
    ...(detector && { torchvision: detector }),
  };
}

/** torchvision's detectors keep the names of their weights. */
function torchvisionHint({ initializer = [] }: Model['graph']): NetHints['torchvision'] {
  const isOne = initializer.some(({ name = '' }) =>
    /(^|\.)(roi_heads\.box_predictor|rpn\.head|head\.(classification|regression)_head)\./.test(name),
  );
  if (!isOne) return undefined;
  const scores = initializer.find(({ name = '' }) => /box_predictor\.cls_score\.(weight|bias)$/.test(name));
  const classes = Number(scores?.dims?.[0] ?? 0);
  return classes > 0 ? { classes } : {};
}

function inputsOf({ graph }: Model): { image: ValueInfo; constants: NetConstant[] } {
  const weights = new Set((graph.initializer ?? []).map(({ name }) => name));
  const inputs = (graph.input ?? []).filter(({ name }) => !weights.has(name));
  const constants = inputs.flatMap((info) => {
    const constant = constantInput(info);
    return constant === undefined ? [] : [constant];
  });
  const [image, ...others] = inputs.filter(({ name }) => !constants.some((known) => known.name === name));
  if (image !== undefined && others.length === 0) return { image, constants };
  const names = inputs.map(({ name }) => name).join(', ') || 'nothing';
  throw new UploadRefused(`the model takes ${names}; one that takes an image alone is needed: export it so`);
}

/** Some detectors have inputs for a pixel mask, and for the size of the image. */
function constantInput({ name = '', type }: ValueInfo): NetConstant | undefined {
  const elements = type?.tensorType?.elemType ?? 0;
  const dims = dimsOf(type).map((side, axis) => side ?? (axis === 0 ? 1 : undefined));
  if (/^(orig_)?(target_|im_)?(sizes?|shape)$/.test(name))
    return { name, type: elements, kind: 'size', dims: [1, 2] };
  if (!/mask$/.test(name)) return undefined;
  // A mask that may have any size is read as one of 64 x 64, and stretched by the net.
  const sides = dims.map((side) => side ?? 64);
  if (sides.length > 4 || sides.some((side) => side > maxMaskSide))
    throw new UploadRefused(
      `the input ${name} has the shape [${sides}]; export the model with an image alone`,
    );
  return { name, type: elements, kind: 'mask', dims: sides };
}

function dimsOf(type: ValueInfo['type']): (number | undefined)[] {
  return (type?.tensorType?.shape?.dim ?? []).map(({ dimValue }) =>
    dimValue === undefined || dimValue < 1n ? undefined : Number(dimValue),
  );
}

function imageInput({ name = '', type }: ValueInfo): NetInput {
  const elements = type?.tensorType?.elemType ?? 0;
  if (!tensorNames.has(elements)) {
    throw new UploadRefused(
      `the input ${name} has element type ${elements}; export the model with a float32 image as input`,
    );
  }
  const dims = dimsOf(type);
  // Detectors of torchvision take a list of images, each without an axis of images.
  const hasBatch = dims.length !== 3;
  const [batch, second, third, fourth] = hasBatch ? dims : [1, ...dims];
  const shown = `[${dims.map((side) => side ?? '?').join(',')}]`;
  if (dims.length !== 4 && dims.length !== 3) {
    throw new UploadRefused(
      `the input ${name} has the shape ${shown}; an image [1,3,height,width] is needed`,
    );
  }
  if (batch !== undefined && batch !== 1) {
    throw new UploadRefused(`the model takes ${batch} images at a time; export it with a batch of 1`);
  }
  const common = { name, type: elements, hasBatch };
  if (second === 3 || second === 1)
    return { ...common, order: 'nchw', channels: second, height: third, width: fourth };
  if (fourth === 3 || fourth === 1)
    return { ...common, order: 'nhwc', channels: fourth, height: second, width: third };
  if (second === undefined && fourth === undefined)
    return { ...common, order: 'nchw', channels: 3, height: third, width: undefined };
  throw new UploadRefused(
    `the input ${name} has the shape ${shown}; 3 channels of colour are needed, or 1 of grey`,
  );
}

/** The same net in the operators of a newer opset. */
function lift(model: Model, { name = '', type }: ValueInfo): Model {
  const dims = dimsOf(type).map(
    (side, axis) => side ?? ['batch', 'second', 'third', 'fourth'][axis] ?? 'side',
  );
  const builder = new GraphBuilder(true);
  const image = builder.input('prepared', 'float32', dims);
  const outputs = outputNames(model);
  const values = importOnnx(builder, model, { input: name, image, outputs });
  for (const [output, value] of values) builder.output(output, value);
  const lifted = builder.finish('net');
  const inputs = lifted.graph.input?.map((info) => ({ ...info, name }));
  const nodes = lifted.graph.node?.map((node) => ({
    ...node,
    input: (node.input ?? []).map((each) => (each === 'prepared' ? name : each)),
  }));
  return {
    ...lifted,
    graph: { ...lifted.graph, ...(inputs && { input: inputs }), ...(nodes && { node: nodes }) },
  };
}
