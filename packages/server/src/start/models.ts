import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelRef } from '@lynceus/engine';
import { builtinModels } from '../recognition/builtin.js';

/** The installed models, by the catalogue's ids. */
export interface InstalledModels {
  readonly dir: string;
  find(id: string): ModelRef | undefined;
}

export function openInstalledModels(dir: string): InstalledModels {
  return {
    dir,
    find(id) {
      const root = join(dir, 'installed', id);
      const versions = statSync(root, { throwIfNoEntry: false }) ? readdirSync(root) : [];
      const version = versions.find((name) =>
        statSync(join(root, name, 'files.json'), { throwIfNoEntry: false }),
      );
      return version === undefined ? undefined : { id, version, dir: join(root, version) };
    },
  };
}

/** Every model that the built-in ones are made of; throws with what to do when one is missing. */
export function requireDefaultModels(models: InstalledModels): readonly ModelRef[] {
  const ids = [...new Set(builtinModels.flatMap((model) => model.parts))];
  const found = ids.map((id) => ({ id, ref: models.find(id) }));
  const missing = found.filter(({ ref }) => !ref).map(({ id }) => id);
  if (missing.length > 0) {
    throw new Error(
      `Not installed in ${models.dir}: ${missing.join(', ')}. Install with: lynceus models install ` +
        '(without a network: lynceus models import FILE).',
    );
  }
  return found.flatMap(({ ref }) => (ref ? [ref] : []));
}
