import {
  type Face,
  type FaceChainName,
  faceChains,
  type ModelRunner,
  modelsOfFaceChain,
} from '@lynceus/engine';
import type { BenchEngine } from '../engine.js';

/** Faces of an image, the largest first. */
export type AskFaces = (bytes: Uint8Array) => Promise<readonly Face[]>;

/** Faces as the service finds them, whole images from their encoded bytes. */
export function facesThroughEngine(
  { runner, ref }: BenchEngine,
  chain: FaceChainName,
  choice: { readonly embed: boolean; readonly minFacePx?: number },
): AskFaces {
  const { minScore, mirrors } = faceChains[chain];
  const options = { liveness: false, minScore, mirrors, ...choice };
  const models = modelsOfFaceChain(chain, (id) => ref(id));
  return async (bytes) => findFaces(runner, bytes, { ...options, models });
}

async function findFaces(
  runner: ModelRunner,
  bytes: Uint8Array,
  options: Extract<Parameters<ModelRunner['analyse']>[0]['tasks'][number], { task: 'faces' }>['options'],
): Promise<readonly Face[]> {
  const { results } = await runner.analyse(
    {
      source: { kind: 'bytes', bytes },
      limits: { maxPixels: 50_000_000 },
      tasks: [{ task: 'faces', options }],
    },
    { priority: 'batch' },
  );
  return results.faces?.faces ?? [];
}
