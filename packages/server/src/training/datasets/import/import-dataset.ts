import { forEachLimited } from '../../../core/for-each-limited.js';
import { fewImages } from '../check-dataset.js';
import type { Dataset } from '../dataset.js';
import { createFindings, type FindingEffect, type FindingsReport } from '../findings.js';
import type { ReadableFormat } from '../formats/plan.js';
import { addClasses, readNames, removeLostClasses } from './import-classes.js';
import { type ImportDeps, type ImportOptions, importImage } from './import-image.js';
import type { TreeLocation } from './messages.js';
import { startTreeProcess } from './tree-process.js';

/** Each label of the files is counted in one of `taken`, `refused` and `present`. */
interface LabelCounts {
  /** In the files. */
  readonly read: number;
  readonly taken: number;
  /** Of those that are taken: scaled, rotated, clipped, or made from an outline. */
  readonly changed: number;
  readonly refused: number;
  /** Labels that the dataset has already, or that stand in the files twice. */
  readonly present: number;
}

export interface ImportReport extends FindingsReport {
  readonly format: ReadableFormat;
  readonly labels: LabelCounts;
  /** In the zip or folder. */
  readonly images: number;
  readonly added: number;
  /** That the dataset had already, or that were in it twice. */
  readonly duplicates: number;
  readonly refused: number;
}

/** Of images: while one is written another is analysed. */
const maxConcurrency = 4;
const plannedAtOnce = 200;

/**
 * Imports a zip or a folder into a dataset, each image with its labels or not at all. What is there already is not added
 * twice, so that it may be begun again at any time. Throws `FormatError` when nothing can be imported, and `no_space` when the
 * disk has no room for the rest.
 */
export async function importDataset(
  deps: ImportDeps,
  accountId: number,
  dataset: Dataset,
  location: TreeLocation,
  options: ImportOptions,
): Promise<ImportReport> {
  const { store } = deps;
  const { signal, onProgress } = options;
  const tree = await startTreeProcess(signal);
  try {
    const plan = await tree.ask({ ask: 'plan', location, format: options.format });
    const labels = { read: 0, changed: 0 };
    const findings = createFindings(options.onFinding);
    for (let from = 0; from < plan.findings; ) {
      const portion = await tree.ask({ ask: 'findings', from });
      from += portion.length;
      for (const { problem, message, file, labels: count } of portion) {
        labels.read += count;
        findings.add(problem, message, { file, labels: count });
      }
    }
    const names = await readNames(tree, 'classes', plan.classes);
    const unlabelled = await readNames(tree, 'unlabelled', plan.unlabelled);
    const known = await store.classes.list(accountId, dataset.id);
    const { classes, added } = await addClasses(deps, accountId, dataset, known, [...names], options.fence);
    const adding = await store.openAdding(accountId, dataset);
    const counts = { added: 0, duplicates: 0, refused: 0 };
    let done = 0;
    const addedNow = new Set<number>();
    const addedEarlier = new Set<number>();
    const [labelledNow, labelledEarlier] = [new Set<number>(), new Set<string>()];
    const work = {
      ...{ deps, accountId, dataset, tree, adding, addedNow, addedEarlier, labelledNow, labelledEarlier },
      ...{ classes, findings, labels, options },
    };
    onProgress(0, plan.images, false);
    let keptBefore = 0;
    for (let from = 0; from < plan.images; ) {
      const batch = await tree.ask({ ask: 'next', from, count: plannedAtOnce });
      from += batch.length;
      await forEachLimited(batch, maxConcurrency, async (planned) => {
        signal.throwIfAborted();
        labels.read += planned.labels?.length ?? 0;
        counts[await importImage(work, planned)] += 1;
        done += 1;
        const kept = addedNow.size + labelledNow.size;
        onProgress(done, plan.images, kept > keptBefore);
        keptBefore = kept;
      });
    }
    await removeLostClasses(work, { added, unlabelled });
    const counted = await store.count(accountId, dataset);
    for (const { name, images } of counted.classes) {
      if (images >= fewImages || !classes.has(name)) continue;
      findings.add('few-images', `the class "${name}" is in ${images} images now; ${fewImages} is little`);
    }
    const found = findings.report();
    return {
      format: plan.format,
      images: plan.images,
      ...counts,
      labels: countLabels(labels, found),
      ...found,
    };
  } finally {
    await tree.close();
  }
}

function countLabels(
  { read, changed }: { readonly read: number; readonly changed: number },
  { kinds }: FindingsReport,
): LabelCounts {
  const labelsOf = (effect: FindingEffect) =>
    kinds.filter((kind) => kind.effect === effect).reduce((sum, { labels }) => sum + labels, 0);
  const [refused, present] = [labelsOf('refused'), labelsOf('notice')];
  return { read, taken: read - refused - present, changed, refused, present };
}
