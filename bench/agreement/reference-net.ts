import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import { loadGraphModel } from '@tensorflow/tfjs-converter';
import * as tf from '@tensorflow/tfjs-core';

/** A TF.js GraphModel run by TensorFlow.js itself. */
export interface ReferenceNet {
  /** @param image f32 [1,side,side,3] of 0..255. Returns the requested outputs, in order. */
  run(image: Float32Array): Float32Array[];
}

export async function loadReferenceNet(
  files: ReadonlyMap<string, Uint8Array>,
  recipe: { readonly file: string; readonly shards: readonly string[]; readonly input: string },
  outputs: readonly string[],
  side: number,
): Promise<ReferenceNet> {
  const wasm = createRequire(import.meta.url).resolve('@tensorflow/tfjs-backend-wasm');
  setWasmPaths(`${dirname(wasm)}/`);
  setThreadsCount(1);
  await tf.setBackend('wasm');
  await tf.ready();
  const json: tf.io.ModelJSON = JSON.parse(Buffer.from(files.get(recipe.file) ?? []).toString());
  const weights = new Uint8Array(
    Buffer.concat(recipe.shards.map((name) => files.get(name) ?? new Uint8Array())),
  );
  const model = await loadGraphModel({
    load: async () => ({
      modelTopology: json.modelTopology,
      weightSpecs: json.weightsManifest.flatMap((group) => group.weights),
      weightData: weights.buffer,
    }),
  });
  return {
    run(image) {
      const input = tf.tensor4d(image, [1, side, side, 3]);
      const results = [model.execute({ [recipe.input]: input }, [...outputs])].flat();
      const numbers = results.map((result) => Float32Array.from(result.dataSync()));
      tf.dispose([input, ...results]);
      return numbers;
    },
  };
}
