import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node';
import { isManifest, type ModelManifest, type ModelRef } from '../../catalog/manifest.js';
import { EngineError } from '../../errors.js';
import type { LoadedModel, Tensor } from '../../tasks/task.js';
import { createSession } from '../int8/create-session.js';
import type { Int8Arithmetic } from '../int8/int8-arithmetic.js';
import type { OpenModel } from './model-cache.js';
import { sessionOptions } from './session-options.js';

/**
 * Loads an installed model.
 * @param int8 Result of the self-test of this process; without it, the self-test is run.
 */
export async function openModel(
  ref: ModelRef,
  executionProvider: string,
  int8?: Int8Arithmetic,
): Promise<OpenModel> {
  const manifest = await readManifest(ref);
  const path = join(ref.dir, 'model.onnx');
  try {
    const { size } = await stat(path);
    const session = await createSession(path, sessionOptions(executionProvider), int8);
    return { model: loadedModel(ref, manifest, session), bytes: size, close: () => session.release() };
  } catch (error) {
    throw missing(ref, 'its model.onnx cannot be loaded', error);
  }
}

/** @throws EngineError 'model-missing' */
export async function readManifest(ref: ModelRef): Promise<ModelManifest> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(join(ref.dir, 'manifest.json'), 'utf8'));
  } catch (error) {
    throw missing(ref, 'its manifest.json cannot be read', error);
  }
  if (!isManifest(manifest)) throw missing(ref, 'its manifest.json has another form');
  if (manifest.id !== ref.id || manifest.version !== ref.version) {
    throw missing(ref, `its folder holds ${manifest.id} ${manifest.version}`);
  }
  return manifest;
}

function missing(ref: ModelRef, reason: string, cause?: unknown): EngineError {
  return new EngineError(
    'model-missing',
    `model ${ref.id} ${ref.version} is not usable: ${reason}; install it again`,
    { cause },
  );
}

function loadedModel(ref: ModelRef, manifest: ModelManifest, session: InferenceSession): LoadedModel {
  return {
    ref,
    manifest,
    inputs: session.inputNames,
    async run(feeds) {
      const inputs = Object.entries(feeds).map(([name, tensor]) => [name, ortTensor(tensor)] as const);
      const outputs = await session.run(Object.fromEntries(inputs));
      return Object.fromEntries(
        Object.entries(outputs).map(([name, tensor]) => [name, ourTensor(ref, name, tensor)]),
      );
    },
  };
}

function ortTensor({ data, dims }: Tensor): OrtTensor {
  if (data instanceof Float32Array) return new OrtTensor('float32', data, dims);
  if (data instanceof Uint8Array) return new OrtTensor('uint8', data, dims);
  if (data instanceof BigInt64Array) return new OrtTensor('int64', data, dims);
  return new OrtTensor('int32', data, dims);
}

function ourTensor(ref: ModelRef, name: string, { data, dims, type }: OrtTensor): Tensor {
  if (
    data instanceof Float32Array ||
    data instanceof Uint8Array ||
    data instanceof BigInt64Array ||
    data instanceof Int32Array
  ) {
    return { data, dims };
  }
  throw new EngineError('model-missing', `model ${ref.id} has an output "${name}" of type ${type}`);
}
