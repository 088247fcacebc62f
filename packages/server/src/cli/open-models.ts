import { type Catalog, defaultModelsDir, type ModelRef, openCatalog } from '@lynceus/engine';
import { neededModelIds } from '../recognition/needed-models.js';
import { createBuiltinModels } from '../service/builtin/builtin-models.js';
import { shippedModels } from '../service/builtin/shipped-models.js';
import { type CommandContext, settingsOf } from './context.js';
import { toPrintable } from './printable.js';

/** The catalogue with the models folder of the settings. Notes each entry that was left out. */
export async function openModels(context: CommandContext): Promise<Catalog> {
  const { settings } = settingsOf(context);
  const { env, note } = context;
  const catalog = await openCatalog({
    modelsDir: settings.modelsDir || defaultModelsDir({ env, dataDir: settings.dataDir }),
    reservedIds: shippedModels.map(({ uid }) => uid),
    env,
  });
  for (const { warning } of catalog.leftOut()) note(toPrintable(warning));
  return catalog;
}

/** A model that a command needs; throws with what brings it. */
export function requireInstalled(catalog: Catalog, id: string, context: CommandContext): ModelRef {
  const ref = catalog.installed(id);
  if (ref) return ref;
  // What the settings need comes all at once.
  const words = neededIds(catalog, context).includes(id) ? 'install' : `install ${id}`;
  throw new Error(`Model ${id} is not installed. Run first: npm run -s lynceus -- models ${words}`);
}

/** Models that the settings need. */
export function neededIds(catalog: Catalog, context: CommandContext): string[] {
  const { settings } = settingsOf(context);
  return neededModelIds(settings, createBuiltinModels(catalog.list(), settings));
}
