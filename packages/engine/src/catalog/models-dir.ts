import { accessSync, constants, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

interface ModelsDirInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The data folder of the service, absolute. */
  readonly dataDir: string;
}

/**
 * The default models folder: `lynceus/models` in the user's cache folder (`XDG_CACHE_HOME`, else
 * `~/.cache`), so that clones share them; `models` in the data folder when there is no usable home, as in
 * many containers. A read-only cache folder is used when it has models already.
 */
export function defaultModelsDir({ env, dataDir }: ModelsDirInput): string {
  const cache = cacheFolder(env);
  if (cache === undefined) return join(dataDir, 'models');
  const candidate = join(cache, 'lynceus', 'models');
  return isFolder(join(candidate, 'installed')) || canBeMade(candidate) ? candidate : join(dataDir, 'models');
}

function cacheFolder(env: ModelsDirInput['env']): string | undefined {
  const named = env['XDG_CACHE_HOME'];
  if (named !== undefined && isAbsolute(named)) return named;
  const home = env['HOME'];
  return home !== undefined && isAbsolute(home) && isFolder(home) ? join(home, '.cache') : undefined;
}

function canBeMade(path: string): boolean {
  let folder = path;
  while (!isFolder(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
