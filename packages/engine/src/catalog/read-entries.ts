import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { CatalogError } from './catalog-error.js';
import { CatalogEntry } from './entry.js';
import type { RequestedFile } from './fetch-context.js';
import { Label, type ModelManifest } from './manifest.js';

/**
 * Raise it when `onnx/` writes a different graph for the same source and recipe: every model is then converted again from
 * its kept sources. Where that is impossible, the older graph stays in use: the inputs and outputs of a family's graph
 * must stay the same.
 */
const importerRevision = 3;

/** An entry with what is derived from it. */
export interface CatalogModel {
  readonly entry: CatalogEntry;
  /** Shipped with the program, or a custom entry in the models folder. */
  readonly origin: 'shipped' | 'own';
  readonly files: readonly RequestedFile[];
  readonly graph: string;
  readonly manifest: ModelManifest;
}

export const LabelTable = Type.Array(Label, { minItems: 1 });

/** Reads the shipped and the custom entries. Throws a `CatalogError` that names the invalid file. */
export async function readEntries(shippedDir: string, ownDir: string): Promise<CatalogModel[]> {
  const models: CatalogModel[] = [];
  for (const [folder, origin] of [
    [shippedDir, 'shipped'],
    [ownDir, 'own'],
  ] as const) {
    for (const name of await jsonFilesOf(folder, origin)) {
      const path = join(folder, name);
      const model = await readModel(path, origin, shippedDir);
      if (models.some(({ entry }) => entry.id === model.entry.id)) {
        throw new CatalogError(
          `${path}: the id "${model.entry.id}" is taken; choose another`,
          model.entry.id,
        );
      }
      const { modelId } = model.entry;
      const namesake = models.find(({ entry }) => modelId !== undefined && entry.modelId === modelId);
      if (namesake) {
        throw new CatalogError(
          `${path}: the number ${modelId} is taken by "${namesake.entry.id}"; remove one of the two`,
          model.entry.id,
        );
      }
      models.push(model);
    }
  }
  return models;
}

async function jsonFilesOf(folder: string, origin: CatalogModel['origin']): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  } catch (error) {
    if (origin === 'own') return [];
    throw new CatalogError(`The catalogue ${folder} cannot be read`, undefined, { cause: error });
  }
}

async function readModel(
  path: string,
  origin: CatalogModel['origin'],
  shippedDir: string,
): Promise<CatalogModel> {
  const entry = await readJson(path, CatalogEntry);
  const labels = entry.labels ? await readLabels(entry.labels, [dirname(path), shippedDir], entry.id) : [];
  if (labels.length === 0 && (entry.family === 'classifier' || entry.family === 'detector')) {
    throw new CatalogError(`${path}: a ${entry.family} needs labels`, entry.id);
  }
  if ((entry.family === 'text-recogniser') !== (entry.alphabet !== undefined)) {
    throw new CatalogError(`${path}: a text-recogniser, and it alone, needs an alphabet`, entry.id);
  }
  const names = new Set(entry.source.files.map(({ name }) => name));
  if (names.size !== entry.source.files.length) {
    throw new CatalogError(`${path}: two source files have the same name`, entry.id);
  }
  const { recipe } = entry;
  const wanted = [recipe.file, ...('shards' in recipe ? recipe.shards : [])];
  const absent = wanted.find((name) => !names.has(name));
  if (absent !== undefined) {
    throw new CatalogError(`${path}: the recipe names ${absent}, which is no file of the source`, entry.id);
  }
  if (entry.alphabet && !names.has(entry.alphabet.file)) {
    throw new CatalogError(`${path}: the alphabet ${entry.alphabet.file} is no file of the source`, entry.id);
  }
  return describeEntry(entry, labels, origin, dirname(path));
}

/** @param folder To which paths of a source on this machine are relative. */
export function describeEntry(
  entry: CatalogEntry,
  labels: readonly Label[],
  origin: CatalogModel['origin'],
  folder: string,
): CatalogModel {
  return {
    entry,
    origin,
    files: filesOf(entry, folder),
    graph: graphKey(entry),
    manifest: manifestOf(entry, labels),
  };
}

function filesOf({ source }: CatalogEntry, folder: string): RequestedFile[] {
  switch (source.kind) {
    case 'npm':
      return source.files.map(({ path, ...facts }) => ({ ...facts, from: path }));
    case 'https':
      return source.files.map(({ url, ...facts }) => ({ ...facts, from: url }));
    case 'file':
      return source.files.map(({ path, ...facts }) => ({ ...facts, from: resolve(folder, path) }));
  }
}

async function readLabels(name: string, folders: readonly string[], modelId: string) {
  for (const folder of new Set(folders)) {
    const path = join(folder, 'labels', name);
    const labels = await readJson(path, LabelTable, true);
    if (labels === undefined) continue;
    if (new Set(labels.map(({ title }) => title)).size !== labels.length) {
      throw new CatalogError(`${path}: two labels have the same title`, modelId);
    }
    return labels;
  }
  throw new CatalogError(
    `The labels ${name} of model ${modelId} are in none of ${folders.join(', ')}`,
    modelId,
  );
}

async function readJson<Schema extends TSchema>(path: string, schema: Schema): Promise<Static<Schema>>;
async function readJson<Schema extends TSchema>(
  path: string,
  schema: Schema,
  mayBeAbsent: true,
): Promise<Static<Schema> | undefined>;
async function readJson<Schema extends TSchema>(path: string, schema: Schema, mayBeAbsent = false) {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (mayBeAbsent && error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CatalogError(`${path} cannot be read: ${reason}`, undefined, { cause: error });
  }
  if (Value.Check(schema, content)) return content;
  const [first] = Value.Errors(schema, content);
  const location = first?.instancePath || 'the file';
  // The schema library's keyword for an unknown key.
  const reason = first?.keyword === 'boolean' ? 'is no key of an entry' : (first?.message ?? 'is wrong');
  throw new CatalogError(`${path}: ${location} ${reason}`);
}

/** Key of the graph: all inputs of a conversion. */
function graphKey(entry: CatalogEntry): string {
  const sources = entry.source.files.map(({ name, sha256 }) => [name, sha256]);
  return digest({ importerRevision, sources, recipe: entry.recipe });
}

/**
 * What is written beside the graph. The version covers the graph and everything in the manifest, so that a new
 * calibration is a new version; it shares its graph with the old one and needs no conversion. An alphabet is added when
 * the model is installed: its file is not here before.
 */
function manifestOf(entry: CatalogEntry, labels: readonly Label[]): ModelManifest {
  const content = {
    id: entry.id,
    title: entry.title,
    family: entry.family,
    input: entry.input,
    labels: [...labels],
    ...(entry.calibration && { calibration: entry.calibration }),
    ...(entry.temperature && { temperature: entry.temperature }),
  };
  // The content of the alphabet's file is in the graph's key, with all source files.
  const described = { ...content, ...(entry.alphabet && { alphabet: entry.alphabet }) };
  return { ...content, version: digest({ graph: graphKey(entry), content: described }).slice(0, 12) };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('hex');
}

/** The order of keys in a file has no meaning. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
