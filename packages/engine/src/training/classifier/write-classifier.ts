import { join } from 'node:path';
import { writeModel } from '../../onnx/proto/codec.js';
import { imageInput, type LoadedBackbone, openFeatureGraph } from '../features/extract-features.js';
import { extendBackbone, featureNodes, unitFeatures } from '../features/feature-graph.js';
import { floatsIn, type OpenGraph, openGraph } from '../features/open-graph.js';
import { writeTrained } from '../out-dir.js';
import type { ClassifiedImage, ClassifierTraining } from '../training-job.js';
import { headNodes } from './head-graph.js';
import type { ModelFacts } from './metadata.js';
import { metadataOf } from './metadata.js';
import { predict, type TrainedHead } from './trained-head.js';

const maxDifference = 1e-4;

/** Writes the one ONNX file from image to probabilities, and its manifest. */
export async function writeClassifier(
  { outDir }: ClassifierTraining,
  backbone: LoadedBackbone,
  trained: TrainedHead,
  facts: ModelFacts,
): Promise<void> {
  const { title, labels, input, thresholds } = facts;
  const graph = extendBackbone(backbone, [featureNodes(backbone), headNodes(trained)], {
    name: 'probabilities',
    dims: [1, labels.length],
  });
  const model = writeModel({ ...graph, producerName: 'lynceus', metadataProps: metadataOf(facts) });
  await writeTrained(outDir, {
    model,
    manifest: {
      title,
      family: 'classifier',
      input,
      labels: [...labels],
      ...(thresholds && { thresholds: [...thresholds] }),
    },
  });
}

export interface Verification {
  readonly images: number;
  readonly largestDifference: number;
}

/** An image with the features that the head was trained or measured with. */
export interface AskedImage {
  readonly image: ClassifiedImage;
  readonly features: Float32Array;
}

/**
 * Asks the written file and the training's own numbers about images.
 * @throws Error where a probability differs by more than 1e-4: a fault of ours.
 */
export async function verifyClassifier(
  job: ClassifierTraining,
  backbone: LoadedBackbone,
  trained: TrainedHead,
  asked: readonly AskedImage[],
): Promise<Verification> {
  const written = await openGraph(join(job.outDir, 'model.onnx'));
  // Opened only where the cache is not enough.
  let graph: OpenGraph | undefined;
  let largestDifference = 0;
  for (const { image, features } of asked) {
    const tensor = await imageInput(image, job, backbone.manifest.input);
    const answered = floatsIn(await written.run({ image: tensor }), 'probabilities');
    let difference = differenceOf(answered, predictOne(trained, features));
    if (!(difference <= maxDifference)) {
      // Features that were cached by another kind of processor may differ in the last steps of 8 bits.
      graph ??= await openFeatureGraph(backbone);
      const fresh = floatsIn(await graph.run({ image: tensor }), unitFeatures);
      difference = differenceOf(answered, predictOne(trained, fresh));
    }
    largestDifference = Math.max(largestDifference, difference);
  }
  await written.close();
  await graph?.close();
  if (!(largestDifference <= maxDifference)) {
    throw new Error(`the written model answers otherwise than the training: by ${largestDifference}`);
  }
  return { images: asked.length, largestDifference };
}

function predictOne(trained: TrainedHead, features: Float32Array): Float64Array {
  return predict(trained, { data: features, rows: 1, columns: features.length }).data;
}

function differenceOf(answered: Float32Array, expected: Float64Array): number {
  if (answered.length !== expected.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (const [c, probability] of answered.entries()) {
    largest = Math.max(largest, Math.abs(probability - (expected[c] ?? 0)));
  }
  return largest;
}
