import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { GraphBuilder } from '../onnx/graph/graph-builder.js';
import { asDims } from '../onnx/graph/storage.js';
import type { Value as GraphValue } from '../onnx/graph/value.js';
import { NodeAttributes } from '../onnx/import/tfjs/attributes.js';
import { type GraphModel, readGraphModel } from '../onnx/import/tfjs/graph-model.js';
import { graphOutputs, importGraphModel } from '../onnx/import/tfjs/import-tfjs.js';
import { declaredInput, importLayers } from '../onnx/import/tfjs-layers/import-layers.js';
import { readLayersModel } from '../onnx/import/tfjs-layers/layers-model.js';
import { builtNet } from './built-net.js';
import type { ImportOptions } from './import-options.js';
import { scales } from './input.js';
import { maxHintFileBytes } from './limits.js';
import type { Net, NetHints } from './net.js';
import type { UploadFiles } from './unpack.js';
import { UploadRefused } from './upload-refused.js';

const Manifest = Type.Array(Type.Object({ paths: Type.Array(Type.String(), { maxItems: 10_000 }) }));

/** The node where TensorFlow's detectors have the image, after a loop that resizes; and their outputs before another loop. */
const detectorInput = 'Preprocessor/map/TensorArrayStack/TensorArrayGatherV3';
const detectorOutputs = ['Postprocessor/ExpandDims_1', 'Postprocessor/Slice'];

/** A TF.js model of either kind, with the shards that its `model.json` names. */
export function readTfjsNet(
  name: string,
  bytes: Uint8Array,
  files: UploadFiles,
  options: ImportOptions,
): Net {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new UploadRefused(`${name} is not JSON, or was cut short; upload it again`);
  }
  const shards = shardsOf(name, json, files);
  const isGraph = hasNodes(json);
  return isGraph ? graphNet(bytes, shards, options) : layersNet(json, shards, options, hintsOf(files));
}

function hasNodes(json: unknown): boolean {
  const Shape = Type.Object({ modelTopology: Type.Object({ node: Type.Array(Type.Unknown()) }) });
  return Value.Check(Shape, json);
}

function shardsOf(name: string, json: unknown, files: UploadFiles): Uint8Array[] {
  const manifest: unknown =
    json !== null && typeof json === 'object' ? Reflect.get(json, 'weightsManifest') : undefined;
  if (!Value.Check(Manifest, manifest))
    throw new UploadRefused(
      `${name} names no weights (weightsManifest); upload the model.json that TF.js wrote`,
    );
  const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/') + 1) : '';
  return manifest
    .flatMap(({ paths }) => paths)
    .map((path) => {
      const found =
        files.get(folder + path.replace(/^\.\//, '')) ??
        files.get(path) ??
        files.get(path.split('/').at(-1) ?? path);
      if (found !== undefined) return found;
      throw new UploadRefused(
        `the weights ${path.slice(0, 200)} are missing; upload them together with ${name}, or in one zip`,
      );
    });
}

/** Teachable Machine writes its version, the labels and the side of its images beside the model. */
function hintsOf(files: UploadFiles): NetHints {
  const Metadata = Type.Object({ tmVersion: Type.String(), imageSize: Type.Optional(Type.Integer()) });
  for (const [name, bytes] of files) {
    if (!/metadata\.json$/.test(name) || bytes.length > maxHintFileBytes) continue;
    try {
      const content: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
      if (!Value.Check(Metadata, content)) continue;
      return { family: 'classifier', scale: scales.around0, fit: 'centre', maker: 'Teachable Machine' };
    } catch {
      // Then there are no hints.
    }
  }
  return {};
}

function layersNet(
  json: unknown,
  shards: readonly Uint8Array[],
  options: ImportOptions,
  hints: NetHints,
): Net {
  const model = readLayersModel(json);
  const [height, width, channels] = declaredInput(model.root);
  return builtNet('tfjs-layers', { height, width, channels, options, hints }, (builder, image) => {
    const values = importLayers(builder, model, shards, image);
    return values.map((value, index) => ({ title: `output ${index}`, value: asDims(builder, value) }));
  });
}

function graphNet(bytes: Uint8Array, shards: readonly Uint8Array[], options: ImportOptions): Net {
  const model = readGraphModel(bytes);
  const names = new Set(model.modelTopology.node.map(({ name }) => name));
  const isDetector = names.has(detectorInput) && detectorOutputs.every((name) => names.has(name));
  const input = isDetector ? detectorInput : imageNode(model);
  const outputs = isDetector ? detectorOutputs : graphOutputs(model);
  const [height, width, channels] = shapeOf(model, input);
  const hints: NetHints = isDetector ? { family: 'detector', scale: scales.bytes, fit: 'squash' } : {};
  return builtNet(
    'tfjs',
    { height, width, channels, options, hints },
    (builder: GraphBuilder, image: GraphValue) => {
      const values = importGraphModel(builder, { model, shards }, { input, image, outputs });
      return [...values].map(([title, value]) => ({ title, value: asDims(builder, value) }));
    },
  );
}

function imageNode({ modelTopology }: GraphModel): string {
  const placeholders = modelTopology.node.filter(({ op }) => op === 'Placeholder');
  const [placeholder, ...others] = placeholders;
  if (placeholder !== undefined && others.length === 0) return placeholder.name;
  const found = placeholders.map(({ name }) => name).join(', ') || 'nothing';
  throw new UploadRefused(`the model takes ${found.slice(0, 300)}; one that takes an image alone is needed`);
}

/** Height, width and channels. */
function shapeOf({ modelTopology }: GraphModel, name: string): (number | undefined)[] {
  const node = modelTopology.node.find((each) => each.name === name);
  if (node === undefined) return [];
  const attributes = new NodeAttributes(node);
  const shape = attributes.shape('element_shape') ?? attributes.shape('shape')?.slice(1) ?? [];
  return shape.map((side) => (side > 0 ? side : undefined));
}
