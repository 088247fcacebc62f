import { copyFile, link, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { syncFolder } from '../catalog/durable-file.js';
import type { ModelRef } from '../catalog/manifest.js';
import { ImportOptions } from './import-options.js';
import { ImportRecord } from './import-record.js';
import { defaultUploadLimits, type UploadLimits } from './limits.js';
import { runConversion } from './run-conversion.js';
import { UploadRefused } from './upload-refused.js';

export interface UploadFile {
  /** The user's file name: it distinguishes labels from shards. Never used as a path. */
  readonly name: string;
  readonly path: string;
}

export interface UploadRequest {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  /** One model, a zip of it, or the files of a TF.js model; labels may lie beside it. */
  readonly files: readonly UploadFile[];
  /** The user's options. */
  readonly options?: ImportOptions;
  /** Becomes the installed model: `model.onnx`, `manifest.json`, `import.json`, `source/`. Must not exist. */
  readonly outDir: string;
  readonly limits?: UploadLimits;
  readonly signal?: AbortSignal;
}

export interface UploadOutcome {
  readonly ref: ModelRef;
  readonly record: ImportRecord;
}

/** Files of one upload; a TF.js model of many shards has some dozens. */
const maxFiles = 200;

/**
 * Converts untrusted files to an installed model. They are opened only in a separate process, which has no
 * secrets and is killed when it takes too long or too much memory; `outDir` is removed when they are refused.
 * @throws UploadRefused with what to fix; the reason of `signal` when it fires.
 */
export async function importUpload(request: UploadRequest): Promise<UploadOutcome> {
  const { id, version, title, files, options = {}, outDir, limits = defaultUploadLimits, signal } = request;
  if (files.length === 0 || files.length > maxFiles)
    throw new UploadRefused(`upload 1 to ${maxFiles} files, not ${files.length}`);
  if (new Set(files.map(({ name }) => name)).size < files.length)
    throw new UploadRefused('two of the files have the same name; name them apart, or upload a zip');
  if (!Value.Check(ImportOptions, options)) throw new UploadRefused(describeInvalidOptions(options));
  await mkdir(outDir, { recursive: false });
  try {
    await mkdir(join(outDir, 'source'));
    const kept: UploadFile[] = [];
    for (const [index, { name, path }] of files.entries()) {
      const target = join(outDir, 'source', String(index));
      // A link takes no disk space; not every volume supports links.
      await link(path, target).catch(() => copyFile(path, target));
      kept.push({ name, path: target });
    }
    await runConversion({ id, version, title, files: kept, options, outDir, limits }, signal);
    await syncFolder(join(outDir, 'source'));
    await syncFolder(outDir);
    return { ref: { id, version, dir: outDir }, record: await readImportRecord(outDir) };
  } catch (error) {
    await rm(outDir, { recursive: true, force: true });
    throw error;
  }
}

export interface ReimportRequest {
  /** An uploaded model, as `importUpload` made it. */
  readonly dir: string;
  /** The new version; the old one stays as it is. */
  readonly version: string;
  readonly outDir: string;
  /** Merged over the previous options; within `input` and `boxes` too. */
  readonly changes: ImportOptions;
  readonly title?: string;
  readonly limits?: UploadLimits;
  readonly signal?: AbortSignal;
}

/** Converts the model again from its kept files with other labels, thresholds or preprocessing. */
export async function reimportUpload(request: ReimportRequest): Promise<UploadOutcome> {
  const { dir, version, outDir, changes, limits, signal } = request;
  const { id, title, sources, options } = await readImportRecord(dir);
  const merged = {
    ...options,
    ...changes,
    ...((options.input || changes.input) && { input: { ...options.input, ...changes.input } }),
    ...((options.boxes || changes.boxes) && { boxes: { ...options.boxes, ...changes.boxes } }),
  };
  return importUpload({
    id,
    version,
    title: request.title ?? title,
    files: sources.map((name, index) => ({ name, path: join(dir, 'source', String(index)) })),
    options: merged,
    outDir,
    ...(limits && { limits }),
    ...(signal && { signal }),
  });
}

/** The import record of an uploaded model. */
export async function readImportRecord(dir: string): Promise<ImportRecord> {
  const record: unknown = renameOptions(JSON.parse(await readFile(join(dir, 'import.json'), 'utf8')));
  if (Value.Check(ImportRecord, record)) return record;
  throw new Error(`${dir}/import.json has another form; upload the model again`);
}

/** The options are named `told` in older records. */
function renameOptions(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || !('told' in record)) return record;
  const { told: options, ...same } = record;
  return { ...same, options };
}

function describeInvalidOptions(options: unknown): string {
  const [first] = Value.Errors(ImportOptions, options);
  return `the options of the model are wrong at ${first?.instancePath || '/'}: ${first?.message ?? 'it does not fit'}`;
}
