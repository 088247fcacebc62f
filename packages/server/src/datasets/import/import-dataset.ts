import type { Compilable } from 'kysely';
import { toName } from '../../accounts/names.js';
import { forEachLimited } from '../../core/for-each-limited.js';
import { ServiceError } from '../../core/service-error.js';
import type { Spool } from '../../intake/spool.js';
import type { AddedImage, Adding } from '../add-images.js';
import { fewImages } from '../check-dataset.js';
import { type Dataset, type DatasetClass, maxClasses } from '../dataset.js';
import type { DatasetStore } from '../dataset-store.js';
import { toFileName } from '../file-name.js';
import {
  createFindings,
  effectOf,
  type Finding,
  type FindingEffect,
  type FindingsList,
  type FindingsReport,
} from '../findings.js';
import type { PlannedImage, ReadableFormat } from '../formats/plan.js';
import type { TreeLocation } from './messages.js';
import { toLabels, type UsableLabels } from './to-labels.js';
import { startTreeProcess, type TreeProcess } from './tree-process.js';

/** Each label of the files is counted in one of `taken`, `refused` and `present`. */
export interface LabelCounts {
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

export interface ImportDeps {
  readonly store: Pick<DatasetStore, 'classes' | 'images' | 'count' | 'openAdding'>;
  /** Where files lie while they are looked at. */
  readonly spool: Pick<Spool, 'createFile'>;
  readonly maxImageBytes: number;
}

export interface ImportOptions {
  readonly format: ReadableFormat | null;
  /** Images that were added from then on were added by an earlier attempt at this import. */
  readonly sinceMs: number;
  readonly signal: AbortSignal;
  /** Of the job that imports, at the end of each unit; none in a command. */
  readonly fence?: readonly Compilable[];
  /** Called with every finding, in their order; those of the report are the first thousand. */
  readonly onFinding?: (finding: Finding) => void;
  /** @param hasAdded whether an image was added since the last call, by this attempt */
  readonly onProgress: (done: number, total: number, hasAdded: boolean) => void;
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
    const names = new Set<string>();
    for (let from = 0; from < plan.classes; ) {
      const portion = await tree.ask({ ask: 'classes', from });
      from += portion.length;
      for (const name of portion.flatMap((each) => toName(each) ?? [])) names.add(name);
    }
    const classes = await addClasses(deps, accountId, dataset, [...names], options.fence);
    const adding = await store.openAdding(accountId, dataset);
    const counts = { added: 0, duplicates: 0, refused: 0 };
    let done = 0;
    const addedNow = new Set<number>();
    const addedEarlier = new Set<number>();
    const work = {
      ...{ deps, accountId, dataset, tree, adding, addedNow, addedEarlier },
      ...{ classes, findings, labels, options },
    };
    onProgress(0, plan.images, false);
    let addedBefore = 0;
    for (let from = 0; from < plan.images; ) {
      const batch = await tree.ask({ ask: 'next', from, count: plannedAtOnce });
      from += batch.length;
      await forEachLimited(batch, maxConcurrency, async (planned) => {
        signal.throwIfAborted();
        labels.read += planned.labels?.length ?? 0;
        const added = await importImage(work, planned);
        counts[added] += 1;
        done += 1;
        onProgress(done, plan.images, addedNow.size > addedBefore);
        addedBefore = addedNow.size;
      });
    }
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

interface Work {
  readonly deps: ImportDeps;
  readonly accountId: number;
  readonly dataset: Dataset;
  readonly tree: TreeProcess;
  readonly adding: Adding;
  /** Images of this attempt. */
  readonly addedNow: Set<number>;
  /** Images of earlier attempts at this import that were met in this one. */
  readonly addedEarlier: Set<number>;
  readonly classes: ReadonlyMap<string, DatasetClass>;
  readonly findings: FindingsList;
  readonly labels: { changed: number };
  readonly options: ImportOptions;
}

async function importImage(work: Work, planned: PlannedImage): Promise<'added' | 'duplicates' | 'refused'> {
  const { deps, dataset, tree, adding, addedNow, classes, findings, options } = work;
  const { path } = planned;
  const file = await deps.spool.createFile();
  try {
    await file.close();
    const { maxImageBytes } = deps;
    const extracted = await tree.ask({
      ask: 'extract',
      path,
      toPath: file.path,
      maxBytes: maxImageBytes,
    });
    if ('problem' in extracted) {
      const { problem } = extracted;
      const message = problem === 'too-large' ? `it is larger than ${maxImageBytes} bytes` : 'it is damaged';
      findings.add(problem, message, { file: path, labels: planned.labels?.length ?? 0 });
      return 'refused';
    }
    let usable: UsableLabels | null = null;
    const added = await adding.add(
      {
        fileName: path,
        source: { kind: 'file', path: file.path },
        split: planned.split,
        needsOrientation: planned.labels?.some(({ declared }) => declared !== undefined) ?? false,
        label: (seen) => {
          usable = toLabels(planned, seen, dataset, classes);
          return usable;
        },
      },
      { priority: 'batch', signal: options.signal, ...(options.fence && { fence: options.fence }) },
    );
    if (added.outcome === 'duplicate') return await judgeDuplicate(work, planned, added, usable);
    if (added.outcome === 'refused' && added.problem === 'no-space') {
      const rest = 'what was imported stays, and importing the same again goes on with the rest';
      throw new ServiceError('no_space', `${added.message}; ${rest}`);
    }
    if (added.outcome === 'refused') {
      findings.add(added.problem, added.message, { file: path, labels: planned.labels?.length ?? 0 });
      return 'refused';
    }
    addedNow.add(added.imageId);
    report(work, usable, path, added.imageId);
    await reportNearDuplicate(work, planned, added.imageId, added.nearTo);
    return 'added';
  } finally {
    await file.dispose();
  }
}

function report(
  { findings, labels: counts }: Work,
  usable: UsableLabels | null,
  file: string,
  imageId: number,
): void {
  counts.changed += usable?.changed ?? 0;
  for (const { problem, message, labels } of usable?.findings ?? [])
    findings.add(problem, message, { file, imageId, labels });
}

/**
 * An image that an earlier attempt at this import added is no duplicate.
 * @param usable what the files say of it; null where its orientation cannot be known any more
 */
async function judgeDuplicate(
  work: Work,
  planned: PlannedImage,
  { imageId, isLabelledNow }: Extract<AddedImage, { outcome: 'duplicate' }>,
  usable: UsableLabels | null,
): Promise<'added' | 'duplicates'> {
  const { deps, accountId, dataset, adding, addedNow, addedEarlier, findings, options } = work;
  const kept = await deps.store.images.read(accountId, dataset.id, imageId);
  const isMet = addedNow.has(imageId) || addedEarlier.has(imageId);
  const isOfEarlier = !isMet && kept.createdAt >= options.sinceMs;
  if (isOfEarlier && kept.fileName === toFileName(planned.path)) {
    addedEarlier.add(imageId);
    report(work, usable, planned.path, imageId);
    await reportNearDuplicate(work, planned, imageId, adding.nearTo(kept));
    return 'added';
  }
  const of = { file: planned.path, imageId };
  if (isLabelledNow) {
    findings.add('duplicate', `the dataset had it as ${kept.fileName}, and it has these labels now`, of);
    report(work, usable, planned.path, imageId);
    return 'duplicates';
  }
  // Labels that cannot be used are no more present than at the first import.
  for (const { problem, message, labels } of usable?.findings ?? []) {
    const isStillSo =
      labels > 0 ? effectOf(problem) !== 'changed' : !kept.isLabelled || kept.isPartlyLabelled;
    if (isStillSo) findings.add(problem, message, { ...of, labels });
  }
  const labels = usable ? (usable.labels?.length ?? 0) : (planned.labels?.length ?? 0);
  const isOther = usable?.labels != null && JSON.stringify(usable.labels) !== JSON.stringify(kept.labels);
  if (isOther) {
    findings.add(
      'labels-differ',
      `the dataset has it as ${kept.fileName}, with other labels, which it keeps`,
      { ...of, labels },
    );
  } else findings.add('duplicate', `the dataset has it as ${kept.fileName}`, { ...of, labels });
  return 'duplicates';
}

async function reportNearDuplicate(
  { deps, accountId, dataset, findings }: Work,
  { path, split }: PlannedImage,
  imageId: number,
  nearTo: number | null,
): Promise<void> {
  if (nearTo === null) return;
  const other = await deps.store.images.read(accountId, dataset.id, nearTo).catch(() => null);
  if (other === null) return;
  const isLeakage = split !== null && other.split !== null && split !== other.split;
  const message = isLeakage
    ? `it looks nearly like ${other.fileName}, which is ${other.split}: the measurement is too good`
    : `it looks nearly like ${other.fileName}`;
  findings.add(isLeakage ? 'leakage' : 'near-duplicate', message, { file: path, imageId });
}

async function addClasses(
  { store }: ImportDeps,
  accountId: number,
  dataset: Dataset,
  names: readonly string[],
  fence?: readonly Compilable[],
): Promise<ReadonlyMap<string, DatasetClass>> {
  const known = await store.classes.list(accountId, dataset.id);
  const there = new Set(known.map(({ name }) => name));
  const added = names.filter((name) => !there.has(name)).slice(0, maxClasses - known.length);
  const wanted = [...names.filter((name) => there.has(name)), ...added];
  return store.classes.ensure(accountId, dataset.id, wanted, fence);
}
