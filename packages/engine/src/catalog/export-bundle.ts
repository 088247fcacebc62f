import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { create } from 'tar';
import { describeForBundle } from './added/bundled-model.js';
import { type BundleIndex, bundleIndexName } from './bundle-index.js';
import { CatalogError } from './catalog-error.js';
import type { CatalogModel } from './describe-entry.js';
import { publish, writeSynced } from './durable-file.js';
import { fetchSources } from './fetch-sources.js';
import type { Installer } from './install.js';
import type { InstallOptions } from './install-progress.js';
import { withWritableFolder } from './models-folder.js';

/** Writes the sources of models into one tar file, after fetching those that are missing. */
export async function exportBundle(
  models: readonly CatalogModel[],
  outPath: string,
  { folder, fetch, env }: Installer,
  { onProgress = () => undefined, signal = new AbortController().signal }: InstallOptions,
): Promise<void> {
  const { layout } = folder;
  const target = resolve(outPath);
  await withWritableFolder(folder, { signal }, async () => {
    await fetchSources(models, { context: { layout, fetch, env, signal }, onProgress });
    const staging = await mkdtemp(join(layout.scratch, 'export-'));
    const unfinished = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
    try {
      const index: BundleIndex = { format: 'lynceus-models', formatVersion: 1, models: [] };
      const names = new Set<string>([bundleIndexName]);
      await mkdir(join(staging, 'sources'));
      for (const model of models) {
        const { entry, files } = model;
        index.models.push({
          id: entry.id,
          files: files.map(({ sha256, bytes }) => ({ sha256, bytes })),
          ...(await describeForBundle(model, layout)),
        });
        for (const { sha256 } of files) {
          const name = `sources/${sha256}`;
          if (names.has(name)) continue;
          names.add(name);
          const source = layout.source(sha256);
          await link(source, join(staging, name)).catch(() => copyFile(source, join(staging, name)));
        }
      }
      await writeSynced(join(staging, bundleIndexName), JSON.stringify(index));
      // Without owners and times the same models give the same bytes, and nothing about this machine leaks.
      await create({ file: unfinished, cwd: staging, portable: true, noMtime: true }, [...names]);
      await publish(unfinished, target);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code !== 'ABORT_ERR') {
        throw new CatalogError(`${target} cannot be written (${String(error.code)})`, undefined, {
          cause: error,
        });
      }
      throw error;
    } finally {
      await rm(staging, { recursive: true, force: true });
      await rm(unfinished, { force: true });
    }
  });
}
