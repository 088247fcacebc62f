import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteLeftovers, entryPath, noteLeftovers } from './added/leftovers.js';
import { syncFolder } from './durable-file.js';
import { versionsOf } from './installed.js';
import type { Layout } from './layout.js';
import { type ModelsFolder, withWritableFolder } from './models-folder.js';
import type { CatalogModel } from './read-entries.js';

/**
 * Removes every version of a model, and its sources unless another installed model needs them. A model that was added goes with
 * its entry; its number stays its own.
 */
export async function removeModel(
  model: CatalogModel,
  models: readonly CatalogModel[],
  folder: ModelsFolder,
): Promise<boolean> {
  const { layout } = folder;
  return withWritableFolder(folder, {}, async () => {
    const wasInstalled = (await versionsOf(model.entry.id, layout)).length > 0;
    const needed = new Set<string>();
    for (const other of models) {
      if (other === model || (await versionsOf(other.entry.id, layout)).length === 0) continue;
      for (const { sha256 } of other.files) needed.add(sha256);
    }
    const sources = model.files.map(({ sha256 }) => sha256).filter((sha256) => !needed.has(sha256));
    if (model.entry.modelId !== undefined) {
      await removeAdded(model.entry.id, sources, layout);
      return true;
    }
    if (wasInstalled) {
      const aside = join(layout.scratch, randomUUID());
      await rename(layout.model(model.entry.id), aside);
      await rm(aside, { recursive: true, force: true });
    }
    for (const sha256 of sources) {
      await rm(layout.source(sha256), { force: true });
      await rm(layout.partial(sha256), { force: true });
    }
    return wasInstalled;
  });
}

/** The entry goes first and in one step: from then on there is no such model, and files are left to delete. */
async function removeAdded(id: string, sources: readonly string[], layout: Layout): Promise<void> {
  await noteLeftovers(layout, id, sources);
  await rm(entryPath(layout, id), { force: true });
  await syncFolder(layout.entries);
  await deleteLeftovers(layout);
}
