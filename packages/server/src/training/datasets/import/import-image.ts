import type { Compilable } from 'kysely';
import { ServiceError } from '../../../core/service-error.js';
import type { Spool } from '../../../intake/spool.js';
import { type AddedImage, type Adding, completes } from '../add-images.js';
import type { Dataset, DatasetClass, DatasetImage } from '../dataset.js';
import type { DatasetStore } from '../dataset-store.js';
import { toFileName } from '../file-name.js';
import { effectOf, type Finding, type FindingsList } from '../findings.js';
import type { PlannedImage, ReadableFormat } from '../formats/plan.js';
import { isRevisionOf } from '../labels-revision.js';
import { toLabels, type UsableLabels } from './to-labels.js';
import type { TreeProcess } from './tree-process.js';

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
  /** Id of the job that imports; none in a command. */
  readonly job?: string;
  /** The greatest id of the dataset's classes before the first attempt; absent where this is the first one. */
  readonly lastClassId?: number | undefined;
  readonly signal: AbortSignal;
  /** Of the job that imports, at the end of each unit; none in a command. */
  readonly fence?: readonly Compilable[];
  /** Called with every finding, in their order; those of the report are the first thousand. */
  readonly onFinding?: (finding: Finding) => void;
  /** @param hasAdded whether an image was added or labelled since the last call, by this attempt */
  readonly onProgress: (done: number, total: number, hasAdded: boolean) => void;
}

/** One attempt at an import. */
export interface ImportWork {
  readonly deps: ImportDeps;
  readonly accountId: number;
  readonly dataset: Dataset;
  readonly tree: TreeProcess;
  readonly adding: Adding;
  /** Images of this attempt. */
  readonly addedNow: Set<number>;
  /** Images of earlier attempts at this import that were met in this one. */
  readonly addedEarlier: Set<number>;
  /** Images that this attempt gave labels, which the dataset had without. */
  readonly labelledNow: Set<number>;
  /** Images that earlier attempts gave labels, met in this one: the id, and whether those labels were whole. */
  readonly labelledEarlier: Set<string>;
  readonly classes: ReadonlyMap<string, DatasetClass>;
  readonly findings: FindingsList;
  readonly labels: { changed: number };
  readonly options: ImportOptions;
}

export async function importImage(
  work: ImportWork,
  planned: PlannedImage,
): Promise<'added' | 'duplicates' | 'refused'> {
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
      {
        ...{ priority: 'batch', signal: options.signal },
        ...(options.job !== undefined && { job: options.job }),
        ...(options.fence && { fence: options.fence }),
      },
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
  { findings, labels: counts }: ImportWork,
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
  work: ImportWork,
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
  if (isLabelledNow) work.labelledNow.add(imageId);
  if (isLabelledNow || isLabelledEarlier(work, kept, usable)) {
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

/** Whether an earlier attempt at this import gave the image these labels: said once of whole ones, and before that once of a part. */
function isLabelledEarlier(
  { labelledNow, labelledEarlier, options }: ImportWork,
  kept: DatasetImage,
  usable: UsableLabels | null,
): boolean {
  const { id, labelsRevision, labels, isPartlyLabelled } = kept;
  if (options.job === undefined || !isRevisionOf(labelsRevision, options.job)) return false;
  if (labelledNow.has(id) || labelledEarlier.has(`${id} whole`) || !usable?.labels) return false;
  const isSame = JSON.stringify(usable.labels) === JSON.stringify(labels);
  const isPart = usable.isPartial && completes({ labels, isPartial: isPartlyLabelled }, usable.labels);
  if (!isSame && !isPart) return false;
  const key = `${id} ${isSame ? 'whole' : 'part'}`;
  if (labelledEarlier.has(key)) return false;
  labelledEarlier.add(key);
  return true;
}

async function reportNearDuplicate(
  { deps, accountId, dataset, findings }: ImportWork,
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
