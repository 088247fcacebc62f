import { defaultModelsDir, openCatalog } from '@lynceus/engine';
import { buildModel } from '@lynceus/engine/onnx';
import { readSourceFiles } from '../agreement/source-files.js';

export const recogniserId = 'ppocr-v4-rec';

/** The recogniser as its source has it, without what was trained here, and its entry's part for that. */
export async function plainRecogniser() {
  const modelsDir =
    process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir: 'data' });
  const model = (await openCatalog({ modelsDir })).list().find(({ entry }) => entry.id === recogniserId);
  if (!model) throw new Error(`the catalogue has no ${recogniserId}`);
  const { recipe, alphabet } = model.entry;
  if (recipe.importer !== 'onnx' || !recipe.trainedColumns || !alphabet)
    throw new Error(`${recogniserId} has another recipe`);
  const files = await readSourceFiles(modelsDir, recogniserId, model.files);
  const { trainedColumns, readability: _, ...plain } = recipe;
  const keys = new TextDecoder().decode(files.get(alphabet.file));
  return {
    net: buildModel(plain, files),
    alphabet: [...keys.replace(/\r?\n$/, '').split(/\r?\n/), ' '],
    recipe: trainedColumns,
  };
}
