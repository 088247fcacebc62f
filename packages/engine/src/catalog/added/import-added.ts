import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CatalogError } from '../catalog-error.js';
import type { CatalogModel } from '../describe-entry.js';
import type { Installer } from '../install.js';
import type { Layout } from '../layout.js';
import { convertAdded } from './convert-added.js';
import { allotNumber } from './model-numbers.js';
import { publishAdded } from './publish-added.js';

interface ImportTools extends Pick<Installer, 'convertUpload'> {
  readonly layout: Layout;
  readonly signal: AbortSignal;
}

/**
 * Adds the models of a bundle whose sources are in the models folder by now. They are converted and tried like new ones: a bundle
 * comes from elsewhere. Each keeps its number unless another model has it here.
 */
export async function importAdded(
  added: readonly CatalogModel[],
  models: readonly CatalogModel[],
  tools: ImportTools,
): Promise<CatalogModel[]> {
  const published: CatalogModel[] = [];
  for (const model of added) published.push(await importOne(model, [...models, ...published], tools));
  return published;
}

async function importOne(
  model: CatalogModel,
  models: readonly CatalogModel[],
  { convertUpload, layout, signal }: ImportTools,
): Promise<CatalogModel> {
  const { entry, manifest, files } = model;
  const [source] = files;
  if (source === undefined || entry.recipe.importer !== 'upload')
    throw new Error(`${entry.id} was not added`);
  const graphPath = join(layout.scratch, randomUUID());
  try {
    await convertAdded(model, entry.recipe, graphPath, { layout, convertUpload, signal });
    const modelId = await allotNumber(layout, entry.id, models, entry.modelId);
    const published = await publishAdded(
      {
        entry: { ...entry, modelId },
        labels: manifest.labels,
        sourcePath: layout.source(source.sha256),
        graphPath,
      },
      layout,
      signal,
    );
    return published.model;
  } catch (error) {
    signal.throwIfAborted();
    const isUsed = models.some((other) => other.files.some(({ sha256 }) => sha256 === source.sha256));
    if (!isUsed) await rm(layout.source(source.sha256), { force: true });
    const reason = error instanceof Error ? error.message : String(error);
    throw new CatalogError(`Model ${entry.id} cannot be imported: ${reason}`, entry.id, { cause: error });
  } finally {
    await rm(graphPath, { force: true });
  }
}
