import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { convertAdded } from './added/convert-added.js';
import type { ConvertUpload } from './added/convert-upload.js';
import { CatalogError } from './catalog-error.js';
import { sha256OfFile } from './checked-file.js';
import { convert } from './convert.js';
import type { CatalogModel } from './describe-entry.js';
import { publish, syncFolder, writeSynced } from './durable-file.js';
import type { InstalledFiles } from './installed.js';
import type { Layout } from './layout.js';
import type { ModelManifest, ModelRef } from './manifest.js';

/** Files of the program that recipes use. */
const assetsFolder = new URL('../../assets/', import.meta.url);

/**
 * `graph` is the finished `model.onnx`, such as that of another version: only the calibration, the labels or the like are new then.
 * Without it the sources are converted, and must be here.
 */
type Making = { readonly graph: string } | { readonly convertUpload: ConvertUpload };

/**
 * Makes the installed form of a model and puts it in place in one step. A version that is there already, damaged, is
 * replaced.
 * @param making How its graph comes to be. The files of an alphabet must be here in any case.
 */
export async function installModel(
  model: CatalogModel,
  making: Making,
  layout: Layout,
  signal: AbortSignal,
): Promise<ModelRef> {
  const { id, version } = model.manifest;
  const dir = layout.version(id, version);
  // Not mkdtemp: its folders are closed to other users, and this one becomes the installed version.
  const scratch = join(layout.scratch, `${id}-${randomUUID()}`);
  await mkdir(scratch);
  try {
    const onnx = join(scratch, 'model.onnx');
    if ('graph' in making) {
      const { graph } = making;
      // A link takes no disk space; not every volume supports links.
      await link(graph, onnx).catch(() => copyFile(graph, onnx));
    } else await convertSources(model, onnx, { ...making, layout, signal });
    const alphabet = await readAlphabet(model, layout);
    const manifest: ModelManifest = { ...model.manifest, ...(alphabet && { alphabet: [...alphabet] }) };
    await writeSynced(join(scratch, 'manifest.json'), JSON.stringify(manifest));
    await writeSynced(join(scratch, 'files.json'), JSON.stringify(await describe(scratch, model.graph)));
    await syncFolder(scratch);
    await setAside(dir, scratch);
    await publish(scratch, dir);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return { id, version, dir };
}

async function convertSources(
  model: CatalogModel,
  outPath: string,
  tools: { readonly convertUpload: ConvertUpload; readonly layout: Layout; readonly signal: AbortSignal },
): Promise<void> {
  const { layout, signal } = tools;
  const { recipe } = model.entry;
  const files = Object.fromEntries(model.files.map(({ name, sha256 }) => [name, layout.source(sha256)]));
  try {
    Object.assign(files, await checkedAssets(model));
    if (recipe.importer === 'upload') await convertAdded(model, recipe, outPath, tools);
    else await convert({ recipe, files, outPath }, signal);
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    throw new CatalogError(`Model ${model.entry.id} cannot be converted: ${reason}`, model.entry.id, {
      cause: error,
    });
  }
}

/** What a recipe takes from the program itself: its path under the name that the recipe uses. */
async function checkedAssets({ entry: { recipe } }: CatalogModel): Promise<Record<string, string>> {
  if (recipe.importer !== 'onnx') return {};
  const paths: Record<string, string> = {};
  for (const part of [recipe.trainedColumns, recipe.readability]) {
    if (part === undefined) continue;
    const path = fileURLToPath(new URL(part.asset.path, assetsFolder));
    const found = await sha256OfFile(path);
    if (found !== part.asset.sha256) throw new Error(`${path} is damaged: install the program again`);
    paths[part.asset.path] = path;
  }
  return paths;
}

async function describe(dir: string, graph: string): Promise<InstalledFiles> {
  const files: InstalledFiles['files'] = {};
  for (const name of ['model.onnx', 'manifest.json']) {
    const path = join(dir, name);
    files[name] = { sha256: await sha256OfFile(path), bytes: (await stat(path)).size };
  }
  return { graph, files };
}

/** A folder that is not empty cannot be renamed over. Processes that have the old files open keep them. */
async function setAside(dir: string, scratch: string): Promise<void> {
  const aside = `${scratch}.old`;
  await mkdir(join(dir, '..'), { recursive: true });
  try {
    await rename(dir, aside);
  } catch {
    return;
  }
  await rm(aside, { recursive: true, force: true });
}

/** What a text recogniser writes, from a file of its source: one entry a line. Undefined for other models. */
async function readAlphabet(
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
