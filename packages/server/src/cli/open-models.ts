import { type Catalog, defaultModelsDir, openCatalog } from '@lynceus/engine';
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
