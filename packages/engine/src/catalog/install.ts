import type { ConvertUpload } from './added/convert-upload.js';
import type { CatalogModel } from './describe-entry.js';
import type { FetchFunction } from './fetch-context.js';
import { fetchSources } from './fetch-sources.js';
import { installModel } from './install-model.js';
import type { InstallOptions, InstallProgress } from './install-progress.js';
import { findGraph, findInstalled, problemsOf } from './installed.js';
import type { ModelRef } from './manifest.js';
import { type ModelsFolder, withWritableFolder } from './models-folder.js';

export interface Installer {
  readonly folder: ModelsFolder;
  readonly fetch: FetchFunction;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For added models. */
  readonly convertUpload: ConvertUpload;
  /** Ids that are no catalogue ids, and yet none of an added model. */
  readonly reservedIds: readonly string[];
}

/** Installs models that are not installed. Writes nothing when there is nothing to do. */
export async function install(
  models: readonly CatalogModel[],
  installer: Installer,
  options: InstallOptions,
): Promise<ModelRef[]> {
  const { layout } = installer.folder;
  const isDone = async (model: CatalogModel) => {
    const found = findInstalled(model, layout);
    return found && !(options.repair && (await problemsOf(found.dir, options.signal)).length > 0);
  };
  const refs = new Map<CatalogModel, ModelRef>();
  for (const model of models) {
    const found = findInstalled(model, layout);
    if (found && (await isDone(model))) refs.set(model, found);
  }
  const missing = models.filter((model) => !refs.has(model));
  if (missing.length > 0) {
    for (const [model, ref] of await installMissing(missing, isDone, installer, options))
      refs.set(model, ref);
  }
  return models.map((model) => refs.get(model)).filter((ref) => ref !== undefined);
}

async function installMissing(
  missing: readonly CatalogModel[],
  isDone: (model: CatalogModel) => Promise<boolean | undefined>,
  { folder, fetch, env, convertUpload }: Installer,
  { onProgress = () => undefined, signal = new AbortController().signal }: InstallOptions,
): Promise<Map<CatalogModel, ModelRef>> {
  const { layout } = folder;
  const reportStage = (model: CatalogModel, stage: InstallProgress['stage']) =>
    onProgress({ model: model.entry.id, stage, bytesDone: 0, bytesTotal: 0 });
  const onWait = () => {
    for (const model of missing) reportStage(model, 'waiting');
  };
  return withWritableFolder(folder, { onWait, signal }, async () => {
    const refs = new Map<CatalogModel, ModelRef>();
    // The previous holder of the lock may have installed them.
    for (const model of missing) {
      const found = findInstalled(model, layout);
      if (found && (await isDone(model))) refs.set(model, found);
    }
    const wanted = missing.filter((model) => !refs.has(model));
    const graphs = new Map<CatalogModel, string>();
    for (const model of wanted) {
      const graph = await findGraph(model, layout);
      if (graph !== undefined) graphs.set(model, graph);
    }
    const unmade = wanted.filter((model) => !graphs.has(model) || model.entry.alphabet !== undefined);
    await fetchSources(unmade, { context: { layout, fetch, env, signal }, onProgress });
    for (const model of wanted) {
      signal.throwIfAborted();
      reportStage(model, 'converting');
      const graph = graphs.get(model);
      const making = graph === undefined ? { convertUpload } : { graph };
      refs.set(model, await installModel(model, making, layout, signal));
      reportStage(model, 'installed');
    }
    return refs;
  });
}
