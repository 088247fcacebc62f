import { join } from 'node:path';
import { writeModel } from '../../onnx/proto/codec.js';
import { type LoadedBackbone, openFeatureGraph, pictureInput } from '../features/extract-features.js';
import { extendBackbone, featureNodes, unitFeatures } from '../features/feature-graph.js';
import { floatsIn, openGraph } from '../features/open-graph.js';
import { writeTrained } from '../out-dir.js';
import type { ClassifiedPicture, ClassifierTraining } from '../training-job.js';
import { headNodes } from './head-graph.js';
import type { ModelFacts } from './metadata.js';
import { metadataOf } from './metadata.js';
import { predict, type TrainedHead } from './trained-head.js';

const maxDifference = 1e-4;

/** Writes the one ONNX file from picture to probabilities, and its manifest. */
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
  readonly pictures: number;
  readonly largestDifference: number;
}

/**
 * Asks the written file and the training's own numbers about pictures.
 * @throws Error where a probability differs by more than 1e-4: a fault of ours.
 */
export async function verifyClassifier(
  job: ClassifierTraining,
  backbone: LoadedBackbone,
  trained: TrainedHead,
  pictures: readonly ClassifiedPicture[],
): Promise<Verification> {
  const written = await openGraph(join(job.outDir, 'model.onnx'));
  // Features anew: a cache from another kind of processor may differ in the last steps of 8 bits.
  const features = await openFeatureGraph(backbone);
  let largestDifference = 0;
  for (const picture of pictures) {
    const image = await pictureInput(picture, job, backbone.manifest.input);
    const answered = floatsIn(await written.run({ image }), 'probabilities');
    const data = floatsIn(await features.run({ image }), unitFeatures);
    const expected = predict(trained, { data, rows: 1, columns: data.length }).data;
    if (answered.length !== expected.length) throw new Error('the written model gives other classes');
    for (const [c, probability] of answered.entries()) {
      largestDifference = Math.max(largestDifference, Math.abs(probability - (expected[c] ?? Number.NaN)));
    }
  }
  await written.close();
  await features.close();
  if (!(largestDifference <= maxDifference)) {
    throw new Error(`the written model answers otherwise than the training: by ${largestDifference}`);
  }
  return { pictures: pictures.length, largestDifference };
}
