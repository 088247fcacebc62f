import type { ModelRef } from '../catalog/manifest.js';

/**
 * The models named in a task's options: directly, in a list, or as values of an object. The choice of a
 * process depends on them.
 */
export function modelsOf(options: object): ModelRef[] {
  return Object.values(options).flatMap((value) => {
    if (isModelRef(value)) return [value];
    return typeof value === 'object' && value !== null ? Object.values(value).filter(isModelRef) : [];
  });
}

function isModelRef(value: unknown): value is ModelRef {
  return typeof value === 'object' && value !== null && 'id' in value && 'version' in value && 'dir' in value;
}
