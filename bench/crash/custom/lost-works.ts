import { setTimeout as sleep } from 'node:timers/promises';
import { followWork } from './follow-work.js';
import { type CustomLedger, unfinished, type WorkEntry } from './ledger.js';
import type { CustomStage } from './stage.js';
import type { StoredCustom } from './stored-custom.js';

/** Maximum of starts of a job without any kept work. */
const maxAttempts = 3;

/** Reads the state of acknowledged jobs; with a time, waits that long for their end, and returns those without. */
export async function followAll(stage: CustomStage, waitMs = 0): Promise<readonly string[]> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const states = new Map<string, string>();
    for (const work of unfinished(stage.ledger)) states.set(work[0], await followWork(stage, work));
    const left = unfinished(stage.ledger);
    if (left.length === 0 || performance.now() > deadline) {
      const words = ([id, { kind }]: (typeof left)[number]) =>
        `the ${kind} ${id} did not end within ${waitMs / 1000} s: last ${states.get(id)}`;
      return waitMs === 0 ? [] : left.map(words);
    }
    await sleep(200);
  }
}

/** Training runs that were started and never acknowledged are known from here on. */
export function adoptTrainings({ models, works }: CustomLedger, { trainings }: StoredCustom): void {
  for (const { jobId, modelId } of trainings) {
    if (!models.has(modelId) || works.has(jobId)) continue;
    works.set(jobId, { kind: 'training', subject: modelId, imported: [], crashes: 1, end: null });
  }
}

/** Jobs with a wrong outcome, as descriptions. */
export function findWrongEnds(
  { works, datasets, models }: CustomLedger,
  stored: StoredCustom,
): readonly string[] {
  return [...works].flatMap(([id, work]) => {
    const { kind, subject, end, crashes } = work;
    const subjectEntry = kind === 'import' ? datasets.get(subject) : models.get(subject);
    if (end === null || subjectEntry?.isDeleted !== 'no') return [];
    if (end.state === 'failed') {
      const isFromCrashes = crashes >= maxAttempts && /ended in \d+ attempts/.test(String(end.error));
      return isFromCrashes ? [] : [`the ${kind} ${id} failed after ${crashes} kills: ${String(end.error)}`];
    }
    if (end.state !== 'done') return [`the ${kind} ${id} is ${end.state}`];
    if (kind === 'import') return wrongImport(id, work, stored);
    return kind === 'training' ? wrongTraining(id, work, stored) : [];
  });
}

function wrongImport(id: string, { subject, imported, end }: WorkEntry, { images }: StoredCustom): string[] {
  const there = [...images.values()].filter(({ datasetId }) => datasetId === subject);
  const missing = imported.filter((sha256) => !there.some((row) => row.sha256 === sha256));
  const unlabelled = there.filter(
    ({ sha256, shown }) => imported.includes(sha256) && typeof shown !== 'number',
  );
  return [
    ...(missing.length === 0 ? [] : [`${missing.length} images of the import ${id} are not there`]),
    ...(unlabelled.length === 0 ? [] : [`${unlabelled.length} images of the import ${id} have no class`]),
    ...(end?.result['added'] === imported.length
      ? []
      : [`the import ${id} of ${imported.length} images tells ${JSON.stringify(end?.result)}`]),
  ];
}

function wrongTraining(id: string, { end, subject }: WorkEntry, { versions }: StoredCustom): string[] {
  const number = Number(end?.result['version']);
  const made = versions.filter(({ jobId }) => jobId === id);
  // One may have been deleted since.
  if (made.length === 0) return [];
  return made.length === 1 && made[0]?.number === number && made[0].modelId === subject
    ? []
    : [`the training ${id} made version ${number}, and there are ${JSON.stringify(made)}`];
}
