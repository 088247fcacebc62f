import type { Catalog, ModelRef } from '@lynceus/engine';

export type InstalledModels = Pick<Catalog, 'installed' | 'list'>;

/** Models of which an older program's conversion is installed, since the current one could not be made. */
export function olderConversions(
  ids: readonly string[],
  models: InstalledModels,
): readonly { readonly model: string; readonly version: string; readonly currentVersion: string }[] {
  return models.list().flatMap(({ manifest, installed }) => {
    const isOlder = installed !== undefined && installed.version !== manifest.version;
    if (!isOlder || !ids.includes(manifest.id)) return [];
    return [{ model: manifest.id, version: installed.version, currentVersion: manifest.version }];
  });
}

/** The models of these ids; throws with what to do when one is missing. */
export function requireModels(
  ids: readonly string[],
  models: InstalledModels,
  modelsDir: string,
): readonly ModelRef[] {
  const found = ids.map((id) => ({ id, ref: models.installed(id) }));
  const missing = found.filter(({ ref }) => !ref).map(({ id }) => id);
  if (missing.length > 0) {
    throw new Error(
      `Not installed in ${modelsDir}: ${missing.join(', ')}. Install with: npm run -s lynceus -- models install ` +
        '(without a network: npm run -s lynceus -- models import FILE).',
    );
  }
  return found.flatMap(({ ref }) => (ref ? [ref] : []));
}
