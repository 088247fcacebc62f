import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AddOutcome, type AddRequest, addModel, type FittedCalibration } from './added/add-model.js';
import type { ConvertUpload } from './added/convert-upload.js';
import type { CatalogModel } from './describe-entry.js';
import { exportBundle } from './export-bundle.js';
import type { FetchFunction } from './fetch-context.js';
import { importFile } from './import-file.js';
import { type Installer, install } from './install.js';
import type { InstallOptions, InstallProgress } from './install-progress.js';
import { findUsable, plainProblemsOf, problemsOf } from './installed.js';
import { layoutOf } from './layout.js';
import type { LeftOutEntry } from './left-out.js';
import type { ModelRef } from './manifest.js';
import { createProxiedFetch } from './proxied-fetch.js';
import { findModel, readEntries } from './read-entries.js';
import { removeModel } from './remove-model.js';

export type {
  AddOutcome,
  AddRequest,
  CatalogModel,
  FittedCalibration,
  InstallOptions,
  InstallProgress,
  LeftOutEntry,
};

export interface CatalogOptions {
  /** The models folder; created when something is first stored in it. */
  readonly modelsDir: string;
  /** Folder of the shipped entries; tests use another one. */
  readonly entriesDir?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly fetch?: FetchFunction;
  /** Converts and tries added models; without it they cannot be added or converted again. */
  readonly convertUpload?: ConvertUpload;
  /** Ids that are no catalogue ids, and yet none of an added model. */
  readonly reservedIds?: readonly string[];
}

interface ModelReport {
  readonly id: string;
  readonly state: 'ok' | 'missing' | 'damaged';
  readonly problems: readonly string[];
}

/** Lists, installs, verifies, removes and bundles models. Its errors are `CatalogError`s. */
export interface Catalog {
  list(): readonly (CatalogModel & { readonly installed: ModelRef | undefined })[];
  /** Custom entries that cannot be used and are not listed; each has a line of warning. */
  leftOut(): readonly LeftOutEntry[];
  /** Ids of the models that a service needs by default. */
  defaultIds(): readonly string[];
  /**
   * The version to run: the one that the catalogue describes, or an older conversion until that exists. Reads
   * the disk, in well under a millisecond.
   */
  installed(id: string): ModelRef | undefined;
  /** Installs what is missing; without a network and without writing anything when nothing is. */
  install(ids: readonly string[], options?: InstallOptions): Promise<readonly ModelRef[]>;
  /** Reads every byte of what is installed. */
  verify(ids: readonly string[]): Promise<readonly ModelReport[]>;
  /** The same in milliseconds: finds files that are missing, cut short or no manifest, and leaves the bytes of graphs unread. */
  check(ids: readonly string[]): Promise<readonly ModelReport[]>;
  /** Adds a model of a known family, which is listed from then on. */
  add(request: AddRequest, options?: InstallOptions): Promise<AddOutcome>;
  /**
   * Whether there was anything to remove. A model that was added is listed no more. The id of a custom entry that was left out
   * removes that entry.
   */
  remove(id: string): Promise<boolean>;
  /** Imports a bundle, a package's tarball or a source file; returns the ids that can now be installed offline. */
  importFile(path: string, signal?: AbortSignal): Promise<readonly string[]>;
  /** Writes the sources of models into one file for a machine without a network. */
  exportBundle(ids: readonly string[], outPath: string, options?: InstallOptions): Promise<void>;
}

const shippedEntries = fileURLToPath(new URL('../../models/', import.meta.url));

/** Opens the catalogue: the shipped entries, and those in `entries/` of the models folder. */
export async function openCatalog(options: CatalogOptions): Promise<Catalog> {
  const { modelsDir, entriesDir, env = process.env } = options;
  const layout = layoutOf(resolve(modelsDir));
  const readModels = () => readEntries(entriesDir ?? shippedEntries, layout.entries);
  let entries = await readModels();
  const installer: Installer = {
    folder: { layout },
    fetch: options.fetch ?? createProxiedFetch(),
    env,
    convertUpload: options.convertUpload ?? refuseUploads,
    reservedIds: options.reservedIds ?? [],
  };
  /** What changes entries is followed by reading them again. */
  const changingEntries = async <T>(work: () => Promise<T>): Promise<T> => {
    const done = await work();
    entries = await readModels();
    return done;
  };

  const find = (id: string): CatalogModel => findModel(id, entries);
  const findAll = (ids: readonly string[]) => [...new Set(ids)].map(find);
  const reportAll = async (ids: readonly string[], problems: ProblemsOf) => {
    const reports: ModelReport[] = [];
    for (const model of findAll(ids)) {
      reports.push(await reportOn(model.entry.id, findUsable(model, layout), problems));
    }
    return reports;
  };

  return {
    list: () => entries.models.map((model) => ({ ...model, installed: findUsable(model, layout) })),
    leftOut: () => entries.leftOut,
    defaultIds: () => entries.models.filter(({ entry }) => entry.default).map(({ entry }) => entry.id),
    installed: (id) => findUsable(find(id), layout),
    install: async (ids, options = {}) => install(findAll(ids), installer, options),
    verify: (ids) => reportAll(ids, problemsOf),
    check: (ids) => reportAll(ids, plainProblemsOf),
    add: (request, options = {}) => changingEntries(() => addModel(request, installer, options, readModels)),
    remove: (id) => changingEntries(() => removeModel(id, installer.folder, readModels)),
    importFile: async (path, signal = new AbortController().signal) => {
      const found = await changingEntries(() => importFile(resolve(path), installer, signal, readModels));
      return found.map(({ entry }) => entry.id);
    },
    exportBundle: async (ids, outPath, options = {}) =>
      exportBundle(findAll(ids), outPath, installer, options),
  };
}

const refuseUploads: ConvertUpload = () =>
  Promise.reject(new Error('this catalogue was opened without the conversion of uploads'));

type ProblemsOf = (dir: string) => Promise<string[]>;

async function reportOn(id: string, ref: ModelRef | undefined, problemsOf: ProblemsOf): Promise<ModelReport> {
  if (ref === undefined) return { id, state: 'missing', problems: [] };
  const problems = await problemsOf(ref.dir);
  return { id, state: problems.length > 0 ? 'damaged' : 'ok', problems };
}
