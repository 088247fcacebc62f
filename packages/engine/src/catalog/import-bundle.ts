import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadEntry } from 'tar';
import { Value } from 'typebox/value';
import { readBundled } from './added/bundled-model.js';
import { checkNewId } from './added/check-id.js';
import { BundleIndex, bundleIndexName } from './bundle-index.js';
import { CatalogError } from './catalog-error.js';
import { receiveFile, WrongBytesError } from './checked-file.js';
import type { CatalogModel } from './describe-entry.js';
import { publish } from './durable-file.js';
import type { RequestedFile } from './fetch-context.js';
import type { Layout } from './layout.js';
import type { ReadEntries } from './read-entries.js';
import { readTar } from './read-tar.js';

/** Entries of added models are in it, with their labels and licences. */
const maxIndexBytes = 64 << 20;
const maxMembers = 10_000;
const maxTotalBytes = 64 * 1024 ** 3;

interface BundleImport {
  readonly index: BundleIndex;
  /** SHA-256 of the imported files. */
  readonly taken: ReadonlySet<string>;
  /** Models that were added on the other machine and are unknown here. */
  readonly added: readonly CatalogModel[];
}

/**
 * Imports only those files of a bundle that the catalogue or an added model of the bundle names: their sizes and hashes are known before a
 * byte is written, and no name in the bundle is ever used as a path. Throws a `CatalogError` for a bundle that is
 * damaged, truncated or not made by `models export`.
 */
export async function importBundle(
  path: string,
  entries: ReadEntries,
  { layout, reservedIds }: { readonly layout: Layout; readonly reservedIds: readonly string[] },
  signal: AbortSignal,
): Promise<BundleImport> {
  const refuse = (reason: string, cause?: unknown) =>
    new CatalogError(`${path} is not a bundle of models that can be used: ${reason}`, undefined, { cause });
  const { models } = entries;
  const known = filesOf(models);
  let added: readonly CatalogModel[] = [];
  const taken = new Set<string>();
  const scratch: string[] = [];
  let index: BundleIndex | undefined;
  let indexRead = Promise.resolve();
  let members = 0;
  let totalBytes = 0;

  const onEntry = (entry: ReadEntry): Promise<void> | undefined => {
    members++;
    totalBytes += entry.size;
    if (members > maxMembers || totalBytes > maxTotalBytes) throw refuse('it is too large');
    if (entry.type !== 'File') throw refuse(`its member ${quote(entry.path)} is no plain file`);
    if (members === 1) {
      if (entry.path !== bundleIndexName) throw refuse(`its first member is not ${bundleIndexName}`);
      indexRead = readIndex(entry).then((read) => {
        if (read === undefined) throw refuse(`its ${bundleIndexName} is not as \`models export\` writes it`);
        index = read;
        const ids = read.models.map(({ id }) => id);
        const twice = ids.find((id, at) => ids.indexOf(id) !== at);
        if (twice !== undefined) throw refuse(`it names ${quote(twice)} twice`);
        added = addedModels(read, models, layout);
        for (const { entry } of added) checkNewId(entry.id, entries, reservedIds);
        for (const [sha256, file] of filesOf(added)) known.set(sha256, file);
      });
      return indexRead;
    }
    const sha256 = /^sources\/([0-9a-f]{64})$/.exec(entry.path)?.[1];
    if (sha256 === undefined) throw refuse(`its member ${quote(entry.path)} does not belong there`);
    // The next member is here before the index was parsed, which may name it.
    return indexRead.then(() => takeSource(entry, sha256));
  };
  const takeSource = async (entry: ReadEntry, sha256: string): Promise<void> => {
    const facts = known.get(sha256);
    if (facts === undefined || taken.has(sha256)) {
      entry.resume();
      return;
    }
    taken.add(sha256);
    const file = join(layout.scratch, randomUUID());
    scratch.push(file);
    await receiveFile(entry, facts, file);
    await publish(file, layout.source(sha256));
  };

  try {
    await readTar(path, onEntry, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CatalogError) throw error;
    if (error instanceof WrongBytesError) throw refuse(error.message, error);
    if (isFileError(error))
      throw new CatalogError(`${path} cannot be read (${error.code})`, undefined, { cause: error });
    throw refuse(error instanceof Error ? error.message : String(error), error);
  } finally {
    await Promise.all(scratch.map((file) => rm(file, { force: true })));
  }
  if (index === undefined) throw refuse('it is empty, or no tar file');
  const absent = index.models
    .flatMap(({ files }) => files)
    .find(({ sha256 }) => known.has(sha256) && !taken.has(sha256));
  if (absent !== undefined) throw refuse('it was cut short');
  return { index, taken, added };
}

function filesOf(models: readonly CatalogModel[]): Map<string, RequestedFile> {
  return new Map(models.flatMap(({ files }) => files.map((file) => [file.sha256, file] as const)));
}

/** Of the bundle's added models, those that this catalogue does not have. Throws where another one has the id. */
function addedModels(
  { models: bundled }: BundleIndex,
  models: readonly CatalogModel[],
  layout: Layout,
): CatalogModel[] {
  return bundled.flatMap(({ id, added }) => {
    if (added === undefined) return [];
    const described = readBundled(id, added, layout);
    const here = models.find(({ entry }) => entry.id === id);
    if (here === undefined) return [described];
    if (here.manifest.version === described.manifest.version) return [];
    throw new CatalogError(`Another model has the id "${id}" here; remove it first: models remove ${id}`, id);
  });
}

async function readIndex(entry: ReadEntry): Promise<BundleIndex | undefined> {
  if (entry.size > maxIndexBytes) return undefined;
  const chunks: Uint8Array[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  try {
    const content: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return Value.Check(BundleIndex, content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function isFileError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** An untrusted name, made safe for a terminal. */
function quote(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}
