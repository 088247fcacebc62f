import type { Compilable } from 'kysely';
import { toName } from '../../../accounts/names.js';
import { ServiceError } from '../../../core/service-error.js';
import type { EnsuredClasses } from '../classes.js';
import { type Dataset, type DatasetClass, maxClasses } from '../dataset.js';
import type { ImportDeps, ImportWork } from './import-image.js';
import type { TreeProcess } from './tree-process.js';

/**
 * Removes classes that the import added for labels of which none could be used.
 * @param lost.added ids of the classes that this attempt added
 * @param lost.unlabelled names that the files define without a label: those classes stay
 */
export async function removeLostClasses(
  {
    deps: { store },
    accountId,
    dataset,
    classes,
    options,
  }: Pick<ImportWork, 'deps' | 'accountId' | 'dataset' | 'classes' | 'options'>,
  { added, unlabelled }: { readonly added: ReadonlySet<number>; readonly unlabelled: ReadonlySet<string> },
): Promise<void> {
  // An earlier attempt left no list of what it added: those are classes of the files with later ids than before.
  const { lastClassId = Infinity } = options;
  const counted = await store.count(accountId, dataset);
  for (const { id, name, labels } of counted.classes) {
    const isOfImport = added.has(id) || id > lastClassId;
    // One that is called otherwise now was renamed by a user.
    if (labels > 0 || !isOfImport || classes.get(name)?.id !== id || unlabelled.has(name)) continue;
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
): Promise<EnsuredClasses> {
  const there = new Set(known.map(({ name }) => name));
  const added = names.filter((name) => !there.has(name)).slice(0, maxClasses - known.length);
  const wanted = [...names.filter((name) => there.has(name)), ...added];
  return store.classes.ensure(accountId, dataset.id, wanted, fence);
}
