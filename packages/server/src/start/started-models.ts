import type { ModelRef } from '@lynceus/engine';
import type { Component } from '../core/lifecycle.js';
import {
  type BuiltinModels,
  type ModelSelection,
  settingsThatSelect,
} from '../service/builtin/builtin-models.js';
import { describeMissing } from '../service/builtin/missing-model.js';
import type { BuiltinModel } from '../service/builtin/shipped-models.js';
import type { InstalledModels } from './models.js';
import { modelIdsOfRoles } from './work-of-roles.js';

/**
 * The models as they were when the service started. Its titles, kinds and numbers are of then, so that an added model that was
 * removed and added again as another one counts as missing until the next start. Another conversion of a shipped model does not: it
 * is the same model.
 */
export function modelsOfStart(models: InstalledModels): InstalledModels {
  const versions = new Map<string, ReadonlySet<string | undefined>>();
  for (const { entry, manifest, installed } of models.list()) {
    if (entry.modelId !== undefined) versions.set(entry.id, new Set([manifest.version, installed?.version]));
  }
  const unlessReplaced = (id: string, found: ModelRef | undefined) =>
    found === undefined || (versions.get(id)?.has(found.version) ?? true) ? found : undefined;
  return {
    installed: (id) => unlessReplaced(id, models.installed(id)),
    list: () =>
      models
        .list()
        .map((model) => ({ ...model, installed: unlessReplaced(model.entry.id, model.installed) })),
  };
}

/** Not ready while a model is gone that was there at the start and that requests need which name none. */
export function createModelsComponent(
  models: InstalledModels,
  { all, defaults }: Pick<BuiltinModels, 'all' | 'defaults'>,
  settings: ModelSelection & Parameters<typeof modelIdsOfRoles>[0],
): Component {
  const needed = modelIdsOfRoles(settings, { defaults }).filter((id) => models.installed(id) !== undefined);
  return {
    name: 'built-in models',
    start: async () => {},
    isReady() {
      const gone = needed.filter((id) => models.installed(id) === undefined);
      if (gone.length === 0) return true;
      return gone.map((id) => describeGone(id, all, settings)).join('. ');
    },
    stop: async () => {},
  };
}

function describeGone(id: string, all: readonly BuiltinModel[], selection: ModelSelection): string {
  const model = all.find(({ parts }) => parts.includes(id));
  // Of texts or faces, which no setting selects.
  if (model === undefined) return `${id} is missing; install it again with: lynceus models install ${id}`;
  const selecting = settingsThatSelect(model, selection);
  const suffix = selecting.length === 0 ? '' : ` (selected by ${selecting.join(', ')})`;
  return describeMissing(model.uid, id) + suffix;
}
