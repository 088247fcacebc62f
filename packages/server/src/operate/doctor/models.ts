import type { Catalog } from '@lynceus/engine';
import type { Settings } from '../../core/settings.js';
import { createBuiltinModels } from '../../service/builtin/builtin-models.js';
import { modelIdsOfRoles } from '../../start/work-of-roles.js';
import { type Finding, fine, wrong } from './finding.js';

/** The models that a service of these settings works with. Their bytes are not read: `lynceus models verify` does. */
export async function examineModels(
  catalog: Pick<Catalog, 'check' | 'list' | 'leftOut'>,
  settings: Settings,
  modelsDir: string,
): Promise<readonly Finding[]> {
  const ids = modelIdsOfRoles(settings, createBuiltinModels(catalog.list(), settings));
  const found = await catalog.check(ids);
  const missing = found.filter(({ state }) => state === 'missing').map(({ id }) => id);
  const damaged = found.filter(({ state }) => state === 'damaged').map(({ id }) => id);
  const findings: Finding[] = [];
  if (missing.length > 0) {
    const advice = 'npm run -s lynceus -- models install';
    findings.push(wrong('models', `not installed in ${modelsDir}: ${missing.join(', ')}`, advice));
  }
  if (damaged.length > 0) {
    const advice = `npm run -s lynceus -- models install --repair ${damaged.join(' ')}`;
    findings.push(wrong('models', `damaged in ${modelsDir}: ${damaged.join(', ')}`, advice));
  }
  for (const { warning } of catalog.leftOut()) findings.push(wrong('models', warning));
  if (findings.length > 0) return findings;
  return [fine('models', `${ids.length} of ${ids.length} in ${modelsDir}`)];
}
