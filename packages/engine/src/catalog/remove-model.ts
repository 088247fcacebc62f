import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteLeftovers, entryPath, noteLeftovers } from './added/leftovers.js';
import { CatalogError } from './catalog-error.js';
import { syncFolder } from './durable-file.js';
import { versionsOf } from './installed.js';
import type { Layout } from './layout.js';
import type { LeftOutEntry } from './left-out.js';
import { type ModelsFolder, withWritableFolder } from './models-folder.js';
import { findModel, type ReadEntries } from './read-entries.js';

/**
 * Removes every version of a model, and its sources unless another installed model needs them. A model that was added goes with
 * its entry, as does a custom entry that was left out; its number stays its own.
 * @param readModels The models of the catalogue, read under the lock: another process may have added one with the same source.
 */
export async function removeModel(
  id: string,
  folder: ModelsFolder,
  readModels: () => Promise<ReadEntries>,
): Promise<boolean> {
  const { layout } = folder;
  return withWritableFolder(folder, {}, async () => {
    const entries = await readModels();
    const needed = await sourcesOfOthers(id, entries, layout);
    const bad = entries.leftOut.find((each) => each.id === id && each.isRemovable);
    if (bad !== undefined) {
      checkLabelsAreOwn(bad, entries);
      await removeEntry(
        id,
        bad.sources.filter((sha256) => !needed.has(sha256)),
        layout,
      );
      return true;
    }
    const model = findModel(id, entries);
    const wasInstalled = (await versionsOf(id, layout)).length > 0;
    const sources = model.files.map(({ sha256 }) => sha256).filter((sha256) => !needed.has(sha256));
    if (model.entry.modelId !== undefined) {
      await removeEntry(id, sources, layout);
      return true;
    }
    if (wasInstalled) {
      const aside = join(layout.scratch, randomUUID());
      await rename(layout.model(id), aside);
      await rm(aside, { recursive: true, force: true });
    }
    for (const sha256 of sources) {
      await rm(layout.source(sha256), { force: true });
      await rm(layout.partial(sha256), { force: true });
    }
    return wasInstalled;
  });
}

/** SHA-256 of the sources of other models that are installed, and of other entries that may be corrected. */
async function sourcesOfOthers(id: string, { models, leftOut }: ReadEntries, layout: Layout) {
  const needed = new Set(leftOut.flatMap((each) => (each.id === id ? [] : each.sources)));
  for (const { entry, files } of models) {
    if (entry.id === id || (await versionsOf(entry.id, layout)).length === 0) continue;
    for (const { sha256 } of files) needed.add(sha256);
  }
  return needed;
}

/** The labels of its name go with an entry; another one that was written by hand may use them. */
function checkLabelsAreOwn({ id, path }: LeftOutEntry, { models }: ReadEntries): void {
  const user = models.find(({ entry, origin }) => origin === 'own' && entry.labels === `${id}.json`);
  if (user) throw new CatalogError(`${user.entry.id} has its labels in ${id}.json: delete ${path} alone`, id);
}

/** The entry goes first and in one step: from then on there is no such model, and files are left to delete. */
async function removeEntry(id: string, sources: readonly string[], layout: Layout): Promise<void> {
  await noteLeftovers(layout, id, sources);
  await rm(entryPath(layout, id), { force: true });
  await syncFolder(layout.entries);
  await deleteLeftovers(layout);
}
