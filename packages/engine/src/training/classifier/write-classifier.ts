import { join } from 'node:path';
import type { InputGeometry, Label, ModelRef } from '../../catalog/manifest.js';
import { resampling } from '../../image/pixels.js';
import { writeModel } from '../../onnx/proto/codec.js';
import type { Entry } from '../../onnx/proto/model.js';
import { type Extension, floatConstant, int, ints, step } from '../extension.js';
import { imageInput, type LoadedBackbone, openFeatureGraph } from '../extract-features.js';
import { extendBackbone, featureNodes, unitFeatures } from '../feature-graph.js';
import { floatsIn, type OpenGraph, openGraph } from '../open-graph.js';
import { writeTrained } from '../out-dir.js';
import type { ClassifiedImage, ClassifierTraining } from '../training-job.js';
import { predict, type TrainedHead } from './trained-head.js';
import { type UnlikeGate, unlikeProbability } from './unlike-training.js';

export interface ModelFacts {
  readonly title: string;
  readonly labels: readonly Label[];
  readonly input: InputGeometry;
  readonly backbone: ModelRef;
  readonly thresholds?: readonly number[];
}

const maxDifference = 1e-4;
const unlikeOutput = 'unlike_training';

/** Writes the one ONNX file from image to probabilities, and its manifest. */
export async function writeClassifier(
  { outDir }: ClassifierTraining,
  backbone: LoadedBackbone,
  trained: TrainedHead,
  facts: ModelFacts,
): Promise<void> {
  const { title, labels, input, thresholds } = facts;
  const { unlike } = trained;
  const extensions = [featureNodes(backbone), headNodes(trained), ...(unlike ? [unlikeNodes(unlike)] : [])];
  const graph = extendBackbone(backbone, extensions, [
    { name: 'probabilities', dims: [1, labels.length] },
    ...(unlike ? [{ name: unlikeOutput, dims: [1] }] : []),
  ]);
  const model = writeModel({
    ...graph,
    producerName: 'lynceus',
    metadataProps: metadataOf(facts, unlike !== undefined),
  });
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
interface AskedImage {
  readonly image: ClassifiedImage;
  readonly features: Float32Array;
}

/**
 * Compares the outputs of the written file with those of the training.
 * @throws Error where a probability differs by more than 1e-4: a bug.
 */
export async function verifyClassifier(
  job: ClassifierTraining,
  backbone: LoadedBackbone,
  trained: TrainedHead,
  asked: readonly AskedImage[],
): Promise<Verification> {
  const written = await openGraph(join(job.outDir, 'model.onnx'));
  // Opened only where the cache lacks features.
  let graph: OpenGraph | undefined;
  let largestDifference = 0;
  for (const { image, features } of asked) {
    const tensor = await imageInput(image, job, backbone.manifest.input);
    const outputs = await written.run({ image: tensor });
    const answered = [
      ...floatsIn(outputs, 'probabilities'),
      ...(trained.unlike ? floatsIn(outputs, unlikeOutput) : []),
    ];
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

/** Probabilities, and that of being unlike the training images. */
function predictOne(trained: TrainedHead, data: Float32Array): number[] {
  const features = { data, rows: 1, columns: data.length };
  const unlike = trained.unlike ? [unlikeProbability(trained.unlike, features, 0)] : [];
  return [...predict(trained, features).data, ...unlike];
}

function differenceOf(answered: readonly number[], expected: readonly number[]): number {
  if (answered.length !== expected.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (const [c, probability] of answered.entries()) {
    largest = Math.max(largest, Math.abs(probability - (expected[c] ?? 0)));
  }
  return largest;
}

/** Everything that a user of the ONNX file alone needs, as `metadata_props`. */
function metadataOf({ title, labels, input, backbone, thresholds }: ModelFacts, hasUnlike: boolean): Entry[] {
  const entries = {
    title,
    labels: JSON.stringify(labels.map((label) => label.title)),
    label_ids: JSON.stringify(labels.map((label) => label.id)),
    input: JSON.stringify(input),
    preprocessing: `The image as it is meant to be seen (turned by its EXIF orientation), RGB, 8 bit, alpha over white; ${describeInput(input)}; as uint8 [1,height,width,3] in the input "image". Nothing is subtracted or divided.`,
    output:
      thresholds === undefined
        ? 'probabilities f32 [1,n], in the order of labels; they sum to 1'
        : 'probabilities f32 [1,n], in the order of labels; each counts as shown from its threshold on',
    ...(hasUnlike && {
      unlike_training:
        'unlike_training f32 [1]: the probability that the image is like none of the training images, 0 to 1',
    }),
    backbone: `${backbone.id} ${backbone.version}`,
    ...(thresholds && { thresholds: JSON.stringify(thresholds) }),
  };
  return Object.entries(entries).map(([key, value]) => ({ key, value }));
}

function describeInput(input: InputGeometry): string {
  switch (input.fit) {
    case 'centre':
      return `its centre square of ${input.fraction} x the shorter side, resized by ${resampling} to ${input.side} x ${input.side}`;
    case 'squash':
      return `resized by ${resampling} to ${input.width} x ${input.height}, the aspect ratio not kept`;
    default:
      return `brought to size as ${JSON.stringify(input)} says`;
  }
}

/** Nodes from features to `unlike_training` [1]. */
function unlikeNodes({ exemplars, threshold, slope }: UnlikeGate): Extension {
  return {
    nodes: [
      step('Gemm', [unitFeatures, 'lynceus/exemplars'], 'lynceus/likenesses', [int('transB', 1)]),
      step('ReduceMax', ['lynceus/likenesses'], 'lynceus/likeness', [ints('axes', [1]), int('keepdims', 0)]),
      step('Sub', ['lynceus/least_likeness', 'lynceus/likeness'], 'lynceus/unlikeness'),
      step('Mul', ['lynceus/unlikeness', 'lynceus/unlike_slope'], 'lynceus/unlike_logit'),
      step('Sigmoid', ['lynceus/unlike_logit'], unlikeOutput),
    ],
    constants: [
      floatConstant('lynceus/exemplars', [exemplars.rows, exemplars.columns], exemplars.data),
      floatConstant('lynceus/least_likeness', [1], Float32Array.of(threshold)),
      floatConstant('lynceus/unlike_slope', [1], Float32Array.of(slope)),
    ],
  };
}

/** Nodes from features to `probabilities` [1,n]; the temperature is in the weights. */
function headNodes({ head, link, temperature, gate }: TrainedHead): Extension {
  const { weights, bias } = head;
  const dims = [weights.rows, weights.columns];
  const divided = (numbers: Float64Array) => Float32Array.from(numbers, (number) => number / temperature);
  const raw = gate ? 'lynceus/closed' : 'probabilities';
  const activation =
    link === 'softmax'
      ? step('Softmax', ['lynceus/logits'], raw, [int('axis', 1)])
      : step('Sigmoid', ['lynceus/logits'], raw);
  const plain = {
    nodes: [
      step('Gemm', [unitFeatures, 'lynceus/weights', 'lynceus/bias'], 'lynceus/logits', [int('transB', 1)]),
      activation,
    ],
    constants: [
      floatConstant('lynceus/weights', dims, divided(weights.data)),
      floatConstant('lynceus/bias', [weights.rows], divided(bias)),
    ],
  };
  if (!gate) return plain;
  const { centres, threshold, slope } = gate;
  const noneAlone = Float32Array.from(bias, (_, c) => (c === bias.length - 1 ? 1 : 0));
  return {
    nodes: [
      ...plain.nodes,
      step('Gemm', [unitFeatures, 'lynceus/centres'], 'lynceus/cosines', [int('transB', 1)]),
      step('ReduceMax', ['lynceus/cosines'], 'lynceus/nearest', [ints('axes', [1]), int('keepdims', 1)]),
      step('Sub', ['lynceus/threshold', 'lynceus/nearest'], 'lynceus/distance'),
      step('Mul', ['lynceus/distance', 'lynceus/slope'], 'lynceus/none_logit'),
      step('Sigmoid', ['lynceus/none_logit'], 'lynceus/none'),
      step('Sub', ['lynceus/one', 'lynceus/none'], 'lynceus/some'),
      step('Mul', [raw, 'lynceus/some'], 'lynceus/open'),
      step('Mul', ['lynceus/none', 'lynceus/none_alone'], 'lynceus/none_row'),
      step('Add', ['lynceus/open', 'lynceus/none_row'], 'probabilities'),
    ],
    constants: [
      ...plain.constants,
      floatConstant('lynceus/centres', [centres.rows, centres.columns], Float32Array.from(centres.data)),
      floatConstant('lynceus/threshold', [], Float32Array.of(threshold)),
      floatConstant('lynceus/slope', [], Float32Array.of(slope)),
      floatConstant('lynceus/one', [], Float32Array.of(1)),
      floatConstant('lynceus/none_alone', [1, bias.length], noneAlone),
    ],
  };
}
