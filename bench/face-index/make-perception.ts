import { defaultFaceChain, defaultModelsDir, openCatalog } from '@lynceus/engine';
import { embedderOf } from '#server/faces/embedder-figures.js';
import type { GalleryRef } from '#server/faces/index/face-index.js';
import { createPerceptions } from '#server/faces/perceptions.js';
import type { Database } from '#server/storage/database.js';

/** A perception of the first account, with the default chain's embedder, beside a running service. */
export async function makePerception(database: Database): Promise<GalleryRef> {
  const modelsDir =
    process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir: 'data' });
  const catalog = await openCatalog({ modelsDir });
  const embedder = embedderOf(defaultFaceChain, (id) => catalog.installed(id));
  const accountId = 1;
  const perceptions = createPerceptions({ database, clock: Date.now, embedder });
  const { id } = await perceptions.create(accountId, { name: 'bench' });
  return { accountId, perceptionId: id, embedder };
}
