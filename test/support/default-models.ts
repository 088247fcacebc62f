import { defaultModelsDir, openCatalog } from '@lynceus/engine';

/** Whether the default models are on this machine. Where CI is set they must be, and a test without them fails. */
export async function haveDefaultModels(): Promise<boolean> {
  const modelsDir =
    process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir: 'data' });
  const catalog = await openCatalog({ modelsDir });
  const missing = catalog.defaultIds().filter((id) => !catalog.installed(id));
  if (missing.length === 0 || process.env['CI'] === 'true') return true;
  console.warn(
    `skipped: models ${missing.join(', ')} are not installed (npm run lynceus -- models install ${missing.join(' ')})`,
  );
  return false;
}
