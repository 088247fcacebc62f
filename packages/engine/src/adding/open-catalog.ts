import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import type { ConvertUpload } from '../catalog/added/convert-upload.js';
import { type Catalog, type CatalogOptions, openCatalog as openPlainCatalog } from '../catalog/catalog.js';
import { ModelManifest } from '../catalog/manifest.js';
import { importUpload } from '../uploads/import-upload.js';
import { defaultUploadLimits, type UploadLimits } from '../uploads/limits.js';

interface OpenCatalogOptions extends Omit<CatalogOptions, 'convertUpload'> {
  /** Of the process that reads, converts and tries an added model. */
  readonly uploadLimits?: Omit<UploadLimits, 'maxFileBytes'>;
}

/** Opens the catalogue; models are added to it by the conversion of uploads. */
export function openCatalog({
  uploadLimits = defaultUploadLimits,
  ...options
}: OpenCatalogOptions): Promise<Catalog> {
  return openPlainCatalog({ ...options, convertUpload: createConversion(uploadLimits) });
}

function createConversion(limits: Omit<UploadLimits, 'maxFileBytes'>): ConvertUpload {
  return async ({ id, title, file, options, maxFileBytes, outDir }, signal) => {
    const { record } = await importUpload({
      id,
      version: 'added',
      title,
      files: [file],
      options,
      outDir,
      limits: { ...limits, maxFileBytes },
      signal,
    });
    const manifest: unknown = JSON.parse(await readFile(join(outDir, 'manifest.json'), 'utf8'));
    if (!Value.Check(ModelManifest, manifest)) throw new Error('the conversion wrote no manifest');
    const { format, notes, trial } = record;
    return { manifest, format, notes, trial };
  };
}
