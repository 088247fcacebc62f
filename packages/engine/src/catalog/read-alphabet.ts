import { readFile } from 'node:fs/promises';
import { CatalogError } from './catalog-error.js';
import type { Layout } from './layout.js';
import type { CatalogModel } from './read-entries.js';

/** What a text recogniser writes, from a file of its source: one entry a line. Undefined for other models. */
export async function readAlphabet(
  { entry, files }: CatalogModel,
  layout: Layout,
): Promise<readonly string[] | undefined> {
  if (entry.alphabet === undefined) return undefined;
  const { file, append } = entry.alphabet;
  const facts = files.find(({ name }) => name === file);
  if (facts === undefined) throw new CatalogError(`Model ${entry.id} has no file ${file}`, entry.id);
  const text = await readFile(layout.source(facts.sha256), 'utf8');
  // A line break at the end begins no entry.
  return [...text.replace(/\r?\n$/, '').split(/\r?\n/), ...append];
}
