import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { CatalogEntry } from './entry.js';
import type { RequestedFile } from './fetch-context.js';
import type { Label, ModelManifest } from './manifest.js';

/**
 * Raise it when `onnx/` writes a different graph for the same source and recipe: every model is then converted again from
 * its kept sources. Where that is impossible, the older graph stays in use: the inputs and outputs of a family's graph
 * must stay the same.
 */
const importerRevision = 4;

/** An entry with what is derived from it. */
export interface CatalogModel {
  readonly entry: CatalogEntry;
  /** Shipped with the program, or a custom entry in the models folder. */
  readonly origin: 'shipped' | 'own';
  readonly files: readonly RequestedFile[];
  readonly graph: string;
  readonly manifest: ModelManifest;
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
