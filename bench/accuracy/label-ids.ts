import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelManifest, type ModelRef } from '@lynceus/engine';
import { Value } from 'typebox/value';

/** Ids of a model's labels in their order. */
export async function labelIdsOf(model: ModelRef | undefined): Promise<readonly string[]> {
  const manifest: unknown = JSON.parse(await readFile(join(model?.dir ?? '', 'manifest.json'), 'utf8'));
  return Value.Parse(ModelManifest, manifest).labels.map(({ id }) => id);
}
