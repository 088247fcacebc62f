import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InputGeometry, ModelRef } from '../../catalog/manifest.js';
import type { ImageLimits } from '../../image/image.js';
import { openImage } from '../../image/open-image.js';
import { writeModel } from '../../onnx/proto/codec.js';
import { readManifest } from '../../runtime/process/open-model.js';
import { inputTensor } from '../../tasks/input.js';
import { floatsIn, type OpenGraph, openGraph } from '../open-graph.js';
import { TrainingError } from '../training-error.js';
import type { ImageAnchors } from './anchor-sample.js';
import { cutDetector, type DetectorBackbone } from './cut-detector.js';

export interface LoadedDetector extends DetectorBackbone {
  readonly input: Extract<InputGeometry, { fit: 'squash' }>;
}

/** @throws TrainingError 'model-missing', EngineError 'model-missing' */
export async function loadDetector(backbone: ModelRef): Promise<LoadedDetector> {
  const { family, input } = await readManifest(backbone);
  if (family !== 'detector' || input.fit !== 'squash') {
    throw new TrainingError(
      'model-missing',
      `model ${backbone.id} is no detector of a fixed input size; name coco-ssd as the backbone`,
    );
  }
  const bytes = await readFile(join(backbone.dir, 'model.onnx'));
  return { ...cutDetector(bytes, backbone.id), input };
}

/** The backbone in memory. */
export type AnchorGraph = Awaited<ReturnType<typeof openAnchorGraph>>;

const float32 = 1;

export async function openAnchorGraph(backbone: DetectorBackbone) {
  const { model, levels, corners, columns } = backbone;
  const names = [...levels.map(({ features }) => features), corners];
  const output = names.map((name) => ({ name, type: { tensorType: { elemType: float32 } } }));
  const graph: OpenGraph = await openGraph(writeModel({ ...model, graph: { ...model.graph, output } }));
  return {
    /** @param image uint8 [1,h,w,3] of the backbone's input size. */
    async run(image: { readonly data: Uint8Array; readonly dims: readonly number[] }): Promise<ImageAnchors> {
      const outputs = await graph.run({ image });
      return {
        levels: levels.map(({ features, dims }) => cellsFirst(floatsIn(outputs, features), dims)),
        corners: inOrder(floatsIn(outputs, corners), columns),
      };
    },
    close: () => graph.close(),
  };
}

/** Opened and reduced as in a prediction. */
export async function detectorInput(
  path: string,
  limits: ImageLimits,
  input: InputGeometry,
): Promise<{
  readonly data: Uint8Array;
  readonly dims: readonly number[];
  readonly width: number;
  readonly height: number;
}> {
  const image = await openImage({ kind: 'file', path }, { limits, detailPx: 1024, rasters: 1 });
  const { data, dims } = await inputTensor(image, input);
  if (!(data instanceof Uint8Array)) throw new Error('the input of a detector is made of bytes');
  return { data, dims, width: image.width, height: image.height };
}

/** [dims, cells] to [cells, dims]. */
function cellsFirst(map: Float32Array, dims: number): Float32Array {
  const cells = map.length / dims;
  const turned = new Float32Array(map.length);
  for (let dim = 0; dim < dims; dim++) {
    for (let cell = 0; cell < cells; cell++) turned[cell * dims + dim] = map[dim * cells + cell] ?? 0;
  }
  return turned;
}

function inOrder(corners: Float32Array, columns: readonly number[]): Float32Array {
  return corners.map((_, index) => corners[index - (index % 4) + (columns[index % 4] ?? 0)] ?? 0);
}
