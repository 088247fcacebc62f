import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { publish, syncFolder, writeSynced } from '../durable-file.js';
import type { Layout } from '../layout.js';

/** Files of a model without an entry: it is being added or removed. */
const Leftovers = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
  /** SHA-256 of sources that no other model uses. */
  sources: Type.Array(Type.String({ pattern: '^[0-9a-f]{64}$' })),
});

const ending = '.leftovers';

/**
 * Notes which files belong to a model, before the first of them is written or its entry is deleted. The entry decides whether the
 * model exists: where a process dies, the next one that writes into the folder deletes the files unless the entry is there.
 */
export async function noteLeftovers(layout: Layout, id: string, sources: readonly string[]): Promise<void> {
  const path = layout.leftovers(id);
  await rm(`${path}.new`, { force: true });
  await writeSynced(`${path}.new`, JSON.stringify({ id, sources }));
  await publish(`${path}.new`, path);
}

/** Deletes what additions and removals left, and their notes. */
export async function deleteLeftovers(layout: Layout): Promise<void> {
  for (const name of await readdir(layout.scratch)) {
    if (!name.endsWith(ending)) continue;
    const path = join(layout.scratch, name);
    const noted = await readNote(path);
    if (noted !== undefined && !(await exists(entryPath(layout, noted.id)))) {
      await rm(layout.model(noted.id), { recursive: true, force: true });
      await rm(labelsPath(layout, noted.id), { force: true });
      for (const sha256 of noted.sources) await rm(layout.source(sha256), { force: true });
    }
    await rm(path, { force: true });
    await syncFolder(layout.scratch);
  }
}

export function entryPath(layout: Layout, id: string): string {
  return join(layout.entries, `${id}.json`);
}

export function labelsPath(layout: Layout, id: string): string {
  return join(layout.entries, 'labels', `${id}.json`);
}

async function readNote(path: string) {
  try {
    const content: unknown = JSON.parse(await readFile(path, 'utf8'));
    return Value.Check(Leftovers, content) ? content : undefined;
  } catch {
    return undefined;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
