import type { Catalog, ModelRef } from '@lynceus/engine';

export type InstalledModels = Pick<Catalog, 'installed' | 'list'>;
type CheckedModels = Pick<Catalog, 'installed' | 'check'>;

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

/** The models of these ids; throws with what to do when one is missing or visibly damaged. */
export async function requireModels(
  ids: readonly string[],
  models: CheckedModels,
  modelsDir: string,
): Promise<readonly ModelRef[]> {
  const found = await models.check(ids);
  const missing = found.filter(({ state }) => state === 'missing').map(({ id }) => id);
  if (missing.length > 0) {
    throw new Error(
      `Not installed in ${modelsDir}: ${missing.join(', ')}. Install with: npm run -s lynceus -- models install ` +
        '(without a network: npm run -s lynceus -- models import FILE).',
    );
  }
  const damaged = found.filter(({ state }) => state === 'damaged');
  if (damaged.length > 0) {
    const names = damaged.map(({ id, problems }) => `${id} (${problems.join(', ')})`);
    throw new Error(
      `Damaged in ${modelsDir}: ${names.join(', ')}. Repair with: npm run -s lynceus -- models install --repair ` +
        damaged.map(({ id }) => id).join(' '),
    );
  }
  return ids.flatMap((id) => models.installed(id) ?? []);
}
