import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { CatalogError } from './catalog-error.js';

/** A custom entry that cannot be used. */
export interface LeftOutEntry {
  /** The name of its file without `.json`, which is the id of a model that was added. */
  readonly id: string;
  readonly path: string;
  /** One line: the file, what is wrong with it, and what to do. */
  readonly warning: string;
  /** Whether `remove` takes the id: no model of the catalogue has it. */
  readonly isRemovable: boolean;
  /** SHA-256 of its sources, as far as they can be read: they are kept while the entry may be corrected. */
  readonly sources: readonly string[];
}

/** What is read of an entry that is wrong elsewhere. */
const Sources = Type.Object({
  source: Type.Object({
    files: Type.Array(Type.Object({ sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) })),
  }),
});

/** @param ids Of the models of the catalogue. */
export async function describeLeftOut(
  { path, error }: { readonly path: string; readonly error: CatalogError },
  ids: ReadonlySet<string>,
): Promise<LeftOutEntry> {
  const id = basename(path, '.json');
  const isRemovable = /^[a-z0-9][a-z0-9-]{0,63}$/.test(id) && !ids.has(id);
  const remedy = isRemovable
    ? `Remove it with: models remove ${id}; or correct it.`
    : 'Correct or delete it.';
  const problem = error.message.includes(path) ? error.message : `${path}: ${error.message}`;
  const warning = `${problem}. This entry is left out. ${remedy}`.replace(/\s+/g, ' ');
  return { id, path, warning, isRemovable, sources: await readSources(path) };
}

async function readSources(path: string): Promise<readonly string[]> {
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Value.Check(Sources, content) ? content.source.files.map(({ sha256 }) => sha256) : [];
  } catch {
    return [];
  }
}
