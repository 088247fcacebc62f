import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CatalogError } from '../catalog-error.js';
import type { CatalogModel } from '../describe-entry.js';
import type { UploadRecipe } from '../entry.js';
import type { Layout } from '../layout.js';
import type { ConvertUpload } from './convert-upload.js';

/** Converts an added model again from its source and tries it. Throws where it is recognised as something else than its entry says. */
export async function convertAdded(
  model: CatalogModel,
  recipe: UploadRecipe,
  outPath: string,
  { layout, convertUpload, signal }: { layout: Layout; convertUpload: ConvertUpload; signal: AbortSignal },
): Promise<void> {
  const { id, title } = model.entry;
  const source = model.files.find(({ name }) => name === recipe.file);
  if (source === undefined) throw new CatalogError(`Model ${id} has no file ${recipe.file}`, id);
  const outDir = join(layout.scratch, `${id}-${randomUUID()}`);
  try {
    const { manifest } = await convertUpload(
      {
        id,
        title,
        file: { name: source.name, path: layout.source(source.sha256) },
        options: recipe.options,
        maxFileBytes: source.bytes,
        outDir,
      },
      signal,
    );
    const titlesOf = (labels: readonly { readonly title: string }[]) => labels.map((label) => label.title);
    const same =
      manifest.family === model.manifest.family &&
      JSON.stringify(manifest.input) === JSON.stringify(model.manifest.input) &&
      JSON.stringify(titlesOf(manifest.labels)) === JSON.stringify(titlesOf(model.manifest.labels));
    if (!same) {
      throw new CatalogError(
        'its file is recognised as something else than its entry says, which another version of Lynceus may have written; ' +
          `add it again with models add (where it is listed, after models remove ${id})`,
        id,
      );
    }
    await rename(join(outDir, 'model.onnx'), outPath);
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
