import { roles as allRoles, type Role, rolesOf } from '../core/roles.js';
import type { Settings } from '../core/settings.js';
import { neededModelIds } from '../recognition/needed-models.js';
import type { BuiltinModels } from '../service/builtin/builtin-models.js';
import { trainingModels } from '../service/builtin/shipped-models.js';
import type { Module } from '../service/module.js';

/** The kinds of jobs that a service of these roles takes: each kind is of one role. */
export function jobsOfRoles(
  modules: readonly Pick<Module, 'kinds'>[],
  roles: ReadonlySet<Role>,
): readonly Pick<Module, 'kinds'>[] {
  return modules.map(({ kinds = [] }) => ({
    kinds: kinds.filter(({ role = 'jobs' }) => roles.has(role)),
  }));
}

/** Whether a service of these roles analyses images by itself, and not only in training processes. */
export function recognises(roles: ReadonlySet<Role>): boolean {
  return roles.has('http') || roles.has('jobs') || roles.has('streams');
}

/** The catalogue models that a service of these settings works with, by its roles. */
export function modelIdsOfRoles(
  settings: Parameters<typeof neededModelIds>[0] & Pick<Settings, 'roles'>,
  builtin: Pick<BuiltinModels, 'defaults'>,
): readonly string[] {
  const roles = rolesOf(settings);
  return [
    ...new Set([
      ...(recognises(roles) ? neededModelIds(settings, builtin) : []),
      ...(roles.has('training') ? Object.values(trainingModels) : []),
    ]),
  ];
}

/** What nobody does, where this service is known to be alone: with SQLite there is no other. Null where nothing is left undone. */
export function undoneRoles(settings: Pick<Settings, 'roles' | 'databaseUrl'>): readonly Role[] | null {
  if (settings.databaseUrl !== '') return null;
  const mine = rolesOf(settings);
  const undone = allRoles.filter((role) => !mine.has(role));
  return undone.length === 0 ? null : undone;
}
