import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelManifest } from '@lynceus/engine';
import { Value } from 'typebox/value';
import { ServiceError } from '../core/service-error.js';
import type { ModelTask } from './model.js';

const familyOf = { classification: 'classifier', object_detection: 'detector' } as const satisfies Record<
  ModelTask,
  ModelManifest['family']
>;

/** Of a draft. Throws `wrong_parameters` for a model of another task. */
export async function readManifest(folder: string, task: ModelTask): Promise<ModelManifest> {
  const manifest = Value.Parse(
    ModelManifest,
    JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')),
  );
  if (manifest.family === familyOf[task]) return manifest;
  throw new ServiceError(
    'wrong_parameters',
    `the file is ${manifest.family === 'detector' ? 'a detector' : `of the family ${manifest.family}`}, and this model is for ${task}: create a model of the other task, or give the family`,
  );
}
