import type { Catalog, ModelRef } from '@lynceus/engine';
import { builtinModels } from '../recognition/builtin.js';

export type InstalledModels = Pick<Catalog, 'installed'>;

/** Every model that the built-in ones are made of; throws with what to do when one is missing. */
export function requireDefaultModels(models: InstalledModels, modelsDir: string): readonly ModelRef[] {
  const ids = [...new Set(builtinModels.flatMap((model) => model.parts))];
  const found = ids.map((id) => ({ id, ref: models.installed(id) }));
  const missing = found.filter(({ ref }) => !ref).map(({ id }) => id);
  if (missing.length > 0) {
    throw new Error(
      `Not installed in ${modelsDir}: ${missing.join(', ')}. Install with: npm run -s lynceus -- models install ` +
        '(without a network: npm run -s lynceus -- models import FILE).',
    );
  }
  return found.flatMap(({ ref }) => (ref ? [ref] : []));
}
