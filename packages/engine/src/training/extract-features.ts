import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InputGeometry, ModelManifest } from '../catalog/manifest.js';
import { EngineError } from '../errors.js';
import { openImage } from '../image/open-image.js';
import { writeModel } from '../onnx/proto/codec.js';
import { readManifest } from '../runtime/process/open-model.js';
import { classify } from '../tasks/classify/classify.js';
import { inputTensor } from '../tasks/input.js';
import { type Backbone, cutBackbone } from './cut-backbone.js';
import { openFeatureCache } from './feature-cache.js';
import { extendBackbone, featureNodes, unitFeatures } from './feature-graph.js';
import { floatsIn, type OpenGraph, openGraph } from './open-graph.js';
import type { TrainingContext } from './training-context.js';
import { TrainingError } from './training-error.js';
import type { ClassifiedImage, ClassifierTraining } from './training-job.js';

export interface LoadedBackbone extends Backbone {
  readonly manifest: ModelManifest;
}

/** Images that could be opened, with their features; and those that could not. */
export interface ExtractedFeatures {
  readonly images: readonly ClassifiedImage[];
  /** Row-major, one row per image, each of length 1. */
  readonly rows: Float32Array;
  readonly dims: number;
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** @throws TrainingError 'model-missing', EngineError 'model-missing' */
export async function loadBackbone({
  backbone,
}: Pick<ClassifierTraining, 'backbone'>): Promise<LoadedBackbone> {
  const manifest = await readManifest(backbone);
  if (manifest.family !== 'classifier') {
    throw new TrainingError(
      'model-missing',
      `model ${backbone.id} is no classifier; name one as the backbone`,
    );
  }
  return { ...cutBackbone(await readFile(join(backbone.dir, 'model.onnx')), backbone.id), manifest };
}

type FeatureJob = Pick<ClassifierTraining, 'backbone' | 'limits' | 'cacheDir' | 'images'>;

/** Features of the job's images, from the cache where possible. An image that cannot be opened is left out. */
export async function extractFeatures(
  job: FeatureJob,
  backbone: LoadedBackbone,
  { onProgress }: TrainingContext,
): Promise<ExtractedFeatures> {
  const cache = openFeatureCache(job.cacheDir, job.backbone, 'pooled-classes');
  let graph: OpenGraph | undefined;
  const images: ClassifiedImage[] = [];
  const rows: Float32Array[] = [];
  const refused: { id: string; reason: string }[] = [];
  const total = job.images.length;
  for (const [index, image] of job.images.entries()) {
    onProgress({ stage: 'features', done: index, total, isKept: true });
    const known = asFloats(await cache.read(image.sha256));
    try {
      graph ??= known ? undefined : await openFeatureGraph(backbone);
      const row = known ?? (graph && (await featuresOf(graph, image, job, backbone.manifest.input)));
      if (row === undefined) continue;
      if (!known) await cache.write(image.sha256, new Uint8Array(row.buffer));
      images.push(image);
      rows.push(row);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      refused.push({ id: image.id, reason: error.message });
    }
  }
  onProgress({ stage: 'features', done: total, total, isKept: true });
  await graph?.close();
  const dims = rows[0]?.length ?? 0;
  return { images, rows: joinRows(rows, dims), dims, refused };
}

export function openFeatureGraph(backbone: Backbone): Promise<OpenGraph> {
  const model = extendBackbone(backbone, [featureNodes(backbone)], [{ name: unitFeatures }]);
  return openGraph(writeModel(model));
}

/** Opened, reduced and cropped as in a prediction. */
export async function imageInput(
  { path }: ClassifiedImage,
  { limits }: Pick<ClassifierTraining, 'limits'>,
  input: InputGeometry,
): Promise<{ readonly data: Uint8Array; readonly dims: readonly number[] }> {
  const needs = { topK: 1, model: { id: '', version: '', dir: '' } };
  const image = await openImage(
    { kind: 'file', path },
    { limits, detailPx: classify.detailPx(needs), rasters: classify.rasters(needs) },
  );
  const { data, dims } = await inputTensor(image, input);
  if (!(data instanceof Uint8Array)) throw new Error('the input of a classifier is made of bytes');
  return { data, dims };
}

async function featuresOf(
  graph: OpenGraph,
  image: ClassifiedImage,
  job: FeatureJob,
  input: InputGeometry,
): Promise<Float32Array> {
  const tensor = await imageInput(image, job, input);
  return floatsIn(await graph.run({ image: tensor }), unitFeatures).slice();
}

function asFloats(bytes: Uint8Array | undefined): Float32Array | undefined {
  return bytes && bytes.length > 0 && bytes.length % 4 === 0
    ? new Float32Array(bytes.buffer, 0, bytes.length / 4)
    : undefined;
}

function joinRows(rows: readonly Float32Array[], dims: number): Float32Array {
  const joined = new Float32Array(rows.length * dims);
  for (const [index, row] of rows.entries()) joined.set(row, index * dims);
  return joined;
}
