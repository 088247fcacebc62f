import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { versionsOf } from './installed.js';
import { type ModelsFolder, withWritableFolder } from './models-folder.js';
import type { CatalogModel } from './read-entries.js';

/** Removes every version of a model, and its sources unless another installed model needs them. */
export async function removeModel(
  model: CatalogModel,
  models: readonly CatalogModel[],
  folder: ModelsFolder,
): Promise<boolean> {
  const { layout } = folder;
  return withWritableFolder(folder, {}, async () => {
    const wasInstalled = (await versionsOf(model.entry.id, layout)).length > 0;
    const aside = join(layout.scratch, randomUUID());
    if (wasInstalled) {
      await rename(layout.model(model.entry.id), aside);
      await rm(aside, { recursive: true, force: true });
    }
    const needed = new Set<string>();
    for (const other of models) {
      if (other === model || (await versionsOf(other.entry.id, layout)).length === 0) continue;
      for (const { sha256 } of other.files) needed.add(sha256);
    }
    for (const { sha256 } of model.files) {
      if (needed.has(sha256)) continue;
      await rm(layout.source(sha256), { force: true });
      await rm(layout.partial(sha256), { force: true });
    }
    return wasInstalled;
  });
}
