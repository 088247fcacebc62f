import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { scaledImage } from './assemble/image-input.js';
import { assembleOnnx } from './assemble/onnx-model.js';
import { type BoundHead, bindHead } from './assemble/registry.js';
import { assembleTfjs, readTfjsSource } from './assemble/tfjs-model.js';
import { assembleTflite } from './assemble/tflite-model.js';
import { GraphBuilder } from './graph/graph-builder.js';
import { asDims } from './graph/storage.js';
import { type GraphModel, WeightEntry } from './import/tfjs/graph-model.js';
import { readWeights } from './import/tfjs/weights.js';
import { dlibFaceResnet } from './import/weights/dlib-face-resnet.js';
import { ImportError } from './import-error.js';
import { writeModel } from './proto/codec.js';
import type { Recipe } from './recipe.js';
import { pyramidRewrites, rewrite, rewrites } from './rewrites/rewrite.js';

const WeightsManifest = Type.Array(Type.Object({ weights: Type.Array(WeightEntry) }));

/** Every net whose topology is in this package, with the side of its square input in pixels. */
const nets = { 'dlib-face-resnet': { side: 150, build: dlibFaceResnet } } as const;

export interface BuildOptions {
  /**
   * Adds the inputs of the head as further outputs, f32 and shaped as in the source: `head_input_0`, … in the
   * order of the recipe's head. For comparing a conversion with its original.
   */
  readonly withHeadInputs?: boolean;
}

/**
 * Converts a source's files to one ONNX model that keeps the contract of its family (`catalog/manifest.ts`). Takes
 * seconds of the calling thread for a large model: never call it on a serving thread.
 * @param files The source's files by the names that `recipe` uses.
 * @returns The bytes of `model.onnx`.
 * @throws ImportError when a file is missing or cannot be converted.
 */
export function buildModel(
  recipe: Recipe,
  files: ReadonlyMap<string, Uint8Array>,
  { withHeadInputs = false }: BuildOptions = {},
): Uint8Array {
  const plain = bindHead(recipe.head);
  const builder = assemble(recipe, files, withHeadInputs ? revealInputs(plain) : plain);
  const isPyramid = recipe.importer === 'onnx' && recipe.pyramid === true;
  const chosen = { ...rewrites, ...(isPyramid ? pyramidRewrites : {}) };
  return writeModel(rewrite(builder.finish(recipe.head.head), Object.values(chosen)));
}

function revealInputs(head: BoundHead): BoundHead {
  return {
    ...head,
    write(builder, values) {
      head.write(builder, values);
      values.forEach((value, index) => {
        const dims = value.dims.map((side, axis) =>
          head.freeSize && axis > 0 && axis < 3 ? `side_${axis}` : side,
        );
        // Graphs that came as ONNX do not know their shapes.
        builder.output(`head_input_${index}`, asDims(builder, value), dims.length > 0 ? dims : undefined);
      });
    },
  };
}

function assemble(recipe: Recipe, files: ReadonlyMap<string, Uint8Array>, head: BoundHead): GraphBuilder {
  const file = (name: string): Uint8Array => {
    const bytes = files.get(name);
    if (bytes === undefined) throw new ImportError(`the source has no file ${name}`);
    return bytes;
  };
  switch (recipe.importer) {
    case 'tflite':
      return assembleTflite(file(recipe.file), recipe, head);
    case 'tfjs':
      return assembleTfjs(readTfjsSource(file(recipe.file), recipe.shards.map(file)), recipe.input, head);
    case 'onnx':
      return assembleOnnx(file(recipe.file), recipe, head, file);
    case 'weights':
      return assembleWeights(file(recipe.file), recipe.shards.map(file), recipe, head);
  }
}

/** A net of this package with weights from files, from the uint8 image to the outputs of its head; for batches. */
function assembleWeights(
  manifest: Uint8Array,
  shards: readonly Uint8Array[],
  { net, scale }: Extract<Recipe, { importer: 'weights' }>,
  head: BoundHead,
): GraphBuilder {
  const { side, build } = nets[net];
  const builder = new GraphBuilder(false, true);
  const image = scaledImage(builder, ['free', side, side], scale);
  const layers = readWeights(builder, readWeightsManifest(manifest), shards);
  head.write(builder, [build(builder, layers, image)]);
  return builder;
}

/** A `…-weights_manifest.json` of TF.js. @throws ImportError when the bytes are something else. */
export function readWeightsManifest(bytes: Uint8Array): GraphModel['weightsManifest'] {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new ImportError('the weights manifest is not JSON', { cause: error });
  }
  if (Value.Check(WeightsManifest, json)) return json;
  const [first] = Value.Errors(WeightsManifest, json);
  throw new ImportError(
    `this is no weights manifest of TF.js: ${first?.instancePath || '/'} ${first?.message ?? ''}`,
  );
}
