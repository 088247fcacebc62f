import { createHash } from 'node:crypto';
import type { CatalogEntry } from './entry.js';
import type { Label, ModelManifest } from './manifest.js';

/**
 * Raise it when `onnx/` writes another graph for the same source and recipe: every model is then converted again from
 * the sources that were kept. Where that cannot be done, the older graph stays in use: what a family's graph is fed and
 * gives must stay the same.
 */
const importerRevision = 2;

/** Names the graph: what goes into a conversion, and so into `model.onnx`. */
export function graphKey(entry: CatalogEntry): string {
  const sources = entry.source.files.map(({ name, sha256 }) => [name, sha256]);
  return digest({ importerRevision, sources, recipe: entry.recipe });
}

/**
 * What is written beside the graph. The version covers the graph and everything in the manifest, so that a new
 * calibration is a new version; it shares its graph with the old one and costs no conversion. An alphabet is added when
 * the model is installed: its file is not here before.
 */
export function manifestOf(entry: CatalogEntry, labels: readonly Label[]): ModelManifest {
  const content = {
    id: entry.id,
    title: entry.title,
    family: entry.family,
    input: entry.input,
    labels: [...labels],
    ...(entry.calibration && { calibration: entry.calibration }),
  };
  // What the alphabet's file holds is in the graph's key, with all files of the source.
  const described = { ...content, ...(entry.alphabet && { alphabet: entry.alphabet }) };
  return { ...content, version: digest({ graph: graphKey(entry), content: described }).slice(0, 12) };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('hex');
}

/** The order in which keys stand in a file says nothing. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
