import { readdirSync, statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { isPresent, sha256OfFile } from './checked-file.js';
import type { CatalogModel } from './describe-entry.js';
import type { Layout } from './layout.js';
import { isManifest, type ModelRef } from './manifest.js';

/** `files.json` of an installed version: the files beside it, and the graph's key. Written last. */
export const InstalledFiles = Type.Object({
  graph: Type.String(),
  files: Type.Record(Type.String(), Type.Object({ sha256: Type.String(), bytes: Type.Integer() })),
});
export type InstalledFiles = Static<typeof InstalledFiles>;

/** The model as installed in exactly the version that the catalogue describes. */
export function findInstalled(model: CatalogModel, layout: Layout): ModelRef | undefined {
  const { id, version } = model.manifest;
  const dir = layout.version(id, version);
  // Versions are renamed when they are complete, so one check is enough.
  return exists(join(dir, 'files.json')) ? { id, version, dir } : undefined;
}

/**
 * The version to run: the one that the catalogue describes, or else the newest that an older program converted, until the
 * new one is made. Making it may take a network, or a folder that can be written.
 */
export function findUsable(model: CatalogModel, layout: Layout): ModelRef | undefined {
  return findInstalled(model, layout) ?? newestVersion(model.manifest.id, layout);
}

function newestVersion(id: string, layout: Layout): ModelRef | undefined {
  const made = versionNames(id, layout).flatMap((version) => {
    const dir = layout.version(id, version);
    const madeMs = modifiedMs(join(dir, 'files.json'));
    return madeMs === undefined ? [] : [{ ref: { id, version, dir }, madeMs }];
  });
  return made.toSorted((a, b) => b.madeMs - a.madeMs)[0]?.ref;
}

function versionNames(id: string, layout: Layout): string[] {
  try {
    return readdirSync(layout.model(id));
  } catch {
    return [];
  }
}

function exists(path: string): boolean {
  return modifiedMs(path) !== undefined;
}

function modifiedMs(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    // A folder without permission counts as empty; an installation into it reports the reason.
    return undefined;
  }
}

/** Another version of the model that has the graph `model` needs: the path of its `model.onnx`, checked. */
export async function findGraph(model: CatalogModel, layout: Layout): Promise<string | undefined> {
  for (const version of await versionsOf(model.entry.id, layout)) {
    const dir = layout.version(model.entry.id, version);
    const listed = await readInstalledFiles(dir);
    if (listed?.graph === model.graph && (await problemsOf(dir)).length === 0) return join(dir, 'model.onnx');
  }
  return undefined;
}

export async function versionsOf(id: string, layout: Layout): Promise<string[]> {
  try {
    return await readdir(layout.model(id));
  } catch {
    return [];
  }
}

async function readInstalledFiles(dir: string): Promise<InstalledFiles | undefined> {
  const content = await readJson(join(dir, 'files.json'));
  return Value.Check(InstalledFiles, content) ? content : undefined;
}

/** Problems of an installed version that are seen without reading its graph: what is missing, cut short or no manifest. */
export async function plainProblemsOf(dir: string): Promise<string[]> {
  const listed = await readInstalledFiles(dir);
  if (listed === undefined) return ['files.json is missing or damaged'];
  const problems: string[] = [];
  for (const [name, { bytes }] of Object.entries(listed.files)) {
    if (!(await isPresent(join(dir, name), bytes))) problems.push(`${name} does not have ${bytes} bytes`);
  }
  if (problems.length > 0) return problems;
  return isManifest(await readJson(join(dir, 'manifest.json'))) ? [] : ['manifest.json is damaged'];
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Problems of an installed version; reads every byte of it. */
export async function problemsOf(dir: string, signal?: AbortSignal): Promise<string[]> {
  const listed = await readInstalledFiles(dir);
  if (listed === undefined) return ['files.json is missing or damaged'];
  const problems: string[] = [];
  for (const [name, facts] of Object.entries(listed.files)) {
    try {
      if ((await sha256OfFile(join(dir, name), signal)) !== facts.sha256) problems.push(`${name} is damaged`);
    } catch {
      signal?.throwIfAborted();
      problems.push(`${name} is missing`);
    }
  }
  return problems;
}
