import {
  type Catalog,
  createProcessRunner,
  defaultModelsDir,
  type ModelRef,
  openCatalog,
  type ProcessRunner,
} from '@lynceus/engine';

/** The engine as the service has it, without the service. */
export interface BenchEngine {
  readonly catalog: Catalog;
  readonly runner: ProcessRunner;
  ref(id: string): ModelRef;
  close(): Promise<void>;
}

export async function startEngine(): Promise<BenchEngine> {
  const catalog = await openInstalled();
  const runner = createProcessRunner({
    processes: 0,
    queueMax: 100_000,
    jobTimeoutMs: 120_000,
    maxRssBytes: 4 * 2 ** 30,
  });
  await runner.start();
  return {
    catalog,
    runner,
    ref: (id) => refOf(catalog, id),
    close: () => runner.close(),
  };
}

/** A default model, installed if need be. */
export async function installedModel(id: string): Promise<ModelRef> {
  return refOf(await openInstalled(), id);
}

async function openInstalled(): Promise<Catalog> {
  const modelsDir =
    process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir: 'data' });
  const catalog = await openCatalog({ modelsDir });
  await catalog.install(catalog.defaultIds());
  return catalog;
}

function refOf(catalog: Catalog, id: string): ModelRef {
  const ref = catalog.installed(id);
  if (!ref) throw new Error(`model ${id} is not installed`);
  return ref;
}
