import { GraphBuilder } from '../graph/graph-builder.js';
import { readWeights } from '../import/tfjs/weights.js';
import { dlibFaceResnet } from '../import/weights/dlib-face-resnet.js';
import { readWeightsManifest } from '../import/weights/weights-manifest.js';
import type { Recipe } from '../recipe.js';
import { scaledImage } from './image-input.js';
import type { BoundHead } from './registry.js';

/** Every net that is built here, with the side of its square input in pixels. */
const nets = { 'dlib-face-resnet': { side: 150, build: dlibFaceResnet } } as const;

/** A net of ours with weights from files, from the uint8 image to the outputs of its head; for many images at a time. */
export function assembleWeights(
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
