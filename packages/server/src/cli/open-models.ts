import { type Catalog, defaultModelsDir, type ModelRef, openCatalog } from '@lynceus/engine';
import { shippedModels } from '../builtin/shipped-models.js';
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
export function requireInstalled(catalog: Pick<Catalog, 'installed'>, id: string): ModelRef {
  const ref = catalog.installed(id);
  if (ref) return ref;
  throw new Error(
    `Model ${id} is not installed; install it with: npm run -s lynceus -- models install ${id}`,
  );
}
