import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CatalogError } from './catalog-error.js';
import type { CatalogModel } from './describe-entry.js';
import { describeLeftOut, type LeftOutEntry } from './left-out.js';
import { readModel } from './read-model.js';

export interface ReadEntries {
  readonly models: readonly CatalogModel[];
  /** Custom entries that cannot be used; the others can. */
  readonly leftOut: readonly LeftOutEntry[];
}

/**
 * Reads the shipped and the custom entries. Throws a `CatalogError` for an invalid shipped one. A custom one is left out: the
 * service and the command that removes the entry work beside it.
 */
export async function readEntries(shippedDir: string, ownDir: string): Promise<ReadEntries> {
  const models: CatalogModel[] = [];
  const add = async (path: string, origin: CatalogModel['origin']) => {
    const model = await readModel(path, origin, shippedDir);
    checkNames(path, model, models);
    models.push(model);
  };
  for (const name of await jsonFilesOf(shippedDir, 'shipped')) await add(join(shippedDir, name), 'shipped');
  const failed: { readonly path: string; readonly error: CatalogError }[] = [];
  for (const name of await jsonFilesOf(ownDir, 'own')) {
    const path = join(ownDir, name);
    await add(path, 'own').catch((error: unknown) => {
      if (!(error instanceof CatalogError)) throw error;
      failed.push({ path, error });
    });
  }
  const ids = new Set(models.map(({ entry }) => entry.id));
  return { models, leftOut: await Promise.all(failed.map((each) => describeLeftOut(each, ids))) };
}

/** Throws a `CatalogError` where the catalogue has no model of this id. */
export function findModel(id: string, { models, leftOut }: ReadEntries): CatalogModel {
  const model = models.find(({ entry }) => entry.id === id);
  if (model) return model;
  const bad = leftOut.find((each) => each.id === id);
  if (bad) throw new CatalogError(bad.warning, id);
  const known = models.map(({ entry }) => entry.id).join(', ');
  throw new CatalogError(`There is no model "${id}" in the catalogue; there are ${known}`, id);
}

/** Throws where another model has the id or the number. */
function checkNames(path: string, { entry: { id, modelId } }: CatalogModel, models: readonly CatalogModel[]) {
  if (models.some(({ entry }) => entry.id === id)) {
    throw new CatalogError(`${path}: the id "${id}" is taken; choose another`, id);
  }
  const namesake = models.find(({ entry }) => modelId !== undefined && entry.modelId === modelId);
  if (namesake === undefined) return;
  throw new CatalogError(
    `${path}: the number ${modelId} is taken by "${namesake.entry.id}"; remove one of the two`,
    id,
  );
}

async function jsonFilesOf(folder: string, origin: CatalogModel['origin']): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  } catch (error) {
    if (origin === 'own') return [];
    throw new CatalogError(`The catalogue ${folder} cannot be read`, undefined, { cause: error });
  }
}
