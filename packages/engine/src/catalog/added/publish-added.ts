import { randomUUID } from 'node:crypto';
import { copyFile, link, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { CatalogError } from '../catalog-error.js';
import { type CatalogModel, describeEntry } from '../describe-entry.js';
import { publish, syncFolder, writeSynced } from '../durable-file.js';
import { CatalogEntry } from '../entry.js';
import { installModel } from '../install-model.js';
import type { Layout } from '../layout.js';
import type { Label, ModelRef } from '../manifest.js';
import { LabelTable, schemaProblem } from '../read-model.js';
import { deleteLeftovers, entryPath, labelsPath, noteLeftovers } from './leftovers.js';

interface AddedFiles {
  readonly entry: CatalogEntry;
  readonly labels: readonly Label[];
  /** The source file, checked. */
  readonly sourcePath: string;
  /** The finished `model.onnx`. */
  readonly graphPath: string;
}

export interface PublishedModel {
  readonly model: CatalogModel;
  readonly ref: ModelRef;
}

/**
 * Stores a model with its entry in the models folder, whose lock is held: its source, its installed version, its labels, and last
 * the entry, in one step. Until then the model does not exist, and what was written is deleted, also after a crash.
 */
export async function publishAdded(
  { entry, labels, sourcePath, graphPath }: AddedFiles,
  layout: Layout,
  signal: AbortSignal,
): Promise<PublishedModel> {
  checkReadable(entry, labels);
  const model = describeEntry(entry, labels, 'own', layout.entries);
  const [source] = model.files;
  if (source === undefined) throw new Error(`The entry ${entry.id} names no file`);
  const target = layout.source(source.sha256);
  const isNew = (await stat(target).catch(() => undefined)) === undefined;
  await noteLeftovers(layout, entry.id, isNew ? [source.sha256] : []);
  try {
    if (isNew && sourcePath !== target) await keep(sourcePath, target, layout);
    const ref = await installModel(model, { graph: graphPath }, layout, signal);
    await writePublished(layout, labelsPath(layout, entry.id), JSON.stringify(labels));
    signal.throwIfAborted();
    await writePublished(layout, entryPath(layout, entry.id), `${JSON.stringify(entry, null, 2)}\n`);
    return { model, ref };
  } finally {
    await deleteLeftovers(layout);
  }
}

/** What is stored must be read again by every later command. */
function checkReadable(entry: CatalogEntry, labels: readonly Label[]): void {
  const problem = !Value.Check(CatalogEntry, entry)
    ? schemaProblem(CatalogEntry, entry)
    : Value.Check(LabelTable, labels)
      ? undefined
      : `labels: ${schemaProblem(LabelTable, labels)}`;
  if (problem === undefined) return;
  throw new CatalogError(`The entry of ${entry.id} cannot be written: ${problem}`, entry.id);
}

/** Links take no disk space; not every volume supports links. */
async function keep(from: string, target: string, layout: Layout): Promise<void> {
  const scratch = join(layout.scratch, randomUUID());
  await link(from, scratch).catch(() => copyFile(from, scratch));
  await publish(scratch, target);
}

async function writePublished(layout: Layout, path: string, content: string): Promise<void> {
  const scratch = join(layout.scratch, randomUUID());
  await writeSynced(scratch, content);
  await publish(scratch, path);
  await syncFolder(layout.entries);
}

/** The labels of an added model, as they are kept beside its entry. */
export async function readAddedLabels(layout: Layout, id: string): Promise<unknown> {
  return JSON.parse(await readFile(labelsPath(layout, id), 'utf8'));
}
