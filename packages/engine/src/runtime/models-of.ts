import type { ModelRef } from '../catalog/manifest.js';

/** The models named in a task's options, as `model` or `models`: what the choice of a process goes by. */
export function modelsOf(options: object): ModelRef[] {
  return Object.values(options).flat().filter(isModelRef);
}

function isModelRef(value: unknown): value is ModelRef {
  return typeof value === 'object' && value !== null && 'id' in value && 'version' in value && 'dir' in value;
}
