import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A model's source files by name: kept in a models folder under their SHA-256, or in a folder under their names. */
export async function readSourceFiles(
  dir: string,
  modelId: string,
  wanted: readonly { readonly name: string; readonly sha256: string }[],
): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const { name, sha256 } of wanted) {
    files.set(
      name,
      await readFirst([join(dir, 'sources', sha256), join(dir, modelId, name), join(dir, name)]),
    );
  }
  return files;
}

async function readFirst(paths: readonly string[]): Promise<Uint8Array> {
  for (const path of paths) {
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes !== undefined) return bytes;
  }
  throw new Error(
    `none of ${paths.join(', ')} can be read; install the models or name their sources by --sources`,
  );
}
