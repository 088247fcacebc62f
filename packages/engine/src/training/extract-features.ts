import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InputGeometry, ModelManifest } from '../catalog/manifest.js';
import { openImage } from '../image/open-image.js';
import { writeModel } from '../onnx/proto/codec.js';
import { readManifest } from '../runtime/process/open-model.js';
import { classify } from '../tasks/classify/classify.js';
import { inputTensor } from '../tasks/input.js';
import { type Backbone, cutBackbone } from './cut-backbone.js';
import { extractAll } from './extract-all.js';
import { openFeatureCache } from './feature-cache.js';
import { extendBackbone, featureNodes, unitFeatures } from './feature-graph.js';
import type { FeatureSource, FeatureWork } from './feature-source.js';
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

/** Features of the job's images, from the cache where possible. An image that cannot be opened is left out. */
export async function extractFeatures(
  job: Pick<ClassifierTraining, keyof FeatureWork | 'images'>,
  backbone: LoadedBackbone,
  context: TrainingContext,
): Promise<ExtractedFeatures> {
  const { images, refused } = await extractAll(job, openPooledFeatures(job, backbone), context);
  const rows = images.map(({ kept }) => kept);
  const dims = rows[0]?.length ?? 0;
  return { images: images.map(({ image }) => image), rows: joinRows(rows, dims), dims, refused };
}

/** A row an image, of length 1. */
export function openPooledFeatures(
  { backbone: ref, limits, cacheDir }: FeatureWork,
  backbone: LoadedBackbone,
): FeatureSource<Float32Array> {
  const cache = openFeatureCache(cacheDir, ref, 'pooled-classes');
  // Opened for the first image that is not kept.
  let graph: Promise<OpenGraph> | undefined;
  return {
    has: ({ sha256 }) => cache.has(sha256),
    read: async ({ sha256 }) => asFloats(await cache.read(sha256)),
    async compute({ path, sha256 }) {
      graph ??= openFeatureGraph(backbone);
      const opened = await graph;
      const image = await imageInput({ path }, { limits }, backbone.manifest.input);
      const row = floatsIn(await opened.run({ image }), unitFeatures).slice();
      await cache.write(sha256, new Uint8Array(row.buffer));
      return row;
    },
    close: async () => (await graph)?.close(),
  };
}

export function openFeatureGraph(backbone: Backbone): Promise<OpenGraph> {
  const model = extendBackbone(backbone, [featureNodes(backbone)], [{ name: unitFeatures }]);
  return openGraph(writeModel(model));
}

/** Opened, reduced and cropped as in a prediction. */
export async function imageInput(
  { path }: Pick<ClassifiedImage, 'path'>,
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
