import type { Compilable } from 'kysely';
import { toName } from '../../accounts/names.js';
import { ServiceError } from '../../core/service-error.js';
import { type Dataset, type DatasetClass, maxClasses } from '../dataset.js';
import type { ImportDeps, ImportWork } from './import-image.js';
import type { TreeProcess } from './tree-process.js';

/** Classes that the import added for labels of which none could be used. */
export async function removeLostClasses(
  {
    deps: { store },
    accountId,
    dataset,
    classes,
    options,
  }: Pick<ImportWork, 'deps' | 'accountId' | 'dataset' | 'classes' | 'options'>,
  { lastClassId, unlabelled }: { readonly lastClassId: number; readonly unlabelled: ReadonlySet<string> },
): Promise<void> {
  const counted = await store.count(accountId, dataset);
  for (const { id, name, labels } of counted.classes) {
    if (labels > 0 || id <= lastClassId || !classes.has(name) || unlabelled.has(name)) continue;
    await store.classes.remove(accountId, dataset.id, id, false, options.fence).catch((error: unknown) => {
      // A user labelled an image with it meanwhile, or removed it.
      const isTaken = error instanceof ServiceError && ['conflict', 'not_found'].includes(error.code);
      if (!isTaken) throw error;
    });
  }
}

export async function readNames(
  tree: TreeProcess,
  ask: 'classes' | 'unlabelled',
  count: number,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (let from = 0; from < count; ) {
    const portion = await tree.ask({ ask, from });
    from += portion.length;
    for (const name of portion.flatMap((each) => toName(each) ?? [])) names.add(name);
  }
  return names;
}

export async function addClasses(
  { store }: ImportDeps,
  accountId: number,
  dataset: Dataset,
  known: readonly DatasetClass[],
  names: readonly string[],
  fence?: readonly Compilable[],
): Promise<ReadonlyMap<string, DatasetClass>> {
  const there = new Set(known.map(({ name }) => name));
  const added = names.filter((name) => !there.has(name)).slice(0, maxClasses - known.length);
  const wanted = [...names.filter((name) => there.has(name)), ...added];
  return store.classes.ensure(accountId, dataset.id, wanted, fence);
}
