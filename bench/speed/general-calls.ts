import { defaultFaceChain, type TaskCall } from '@lynceus/engine';
import type { BenchEngine } from '../engine.js';
import { loadInsides } from './insides.js';

/** The calls of the engine that the service makes for general recognition with all parts. */
export async function generalCalls(
  engine: BenchEngine,
  mode: 'basic' | 'dense',
): Promise<readonly TaskCall[]> {
  const { createTaskCalls, createBuiltinModels } = await loadInsides();
  const installedModel = (id: string) => engine.catalog.installed(id);
  const calls = createTaskCalls({ installedModel, faceChain: defaultFaceChain });
  const { general } = createBuiltinModels().defaults;
  return calls.general(new Set(['classes', 'objects', 'texts', 'faces']), mode, general);
}
