import { setTimeout as sleep } from 'node:timers/promises';
import { random } from '../../kill/chance.js';
import type { Operation } from '../run-operations.js';
import { followWork } from './follow-work.js';
import { type ModelEntry, staying, unfinished, type WorkEntry } from './ledger.js';
import { deleteModel, deleteVersion, ownModel, switchVersion } from './own-model.js';
import { type CustomStage, call, isAnswered, listOf } from './stage.js';

export interface TrainingStage extends CustomStage {
  /** Of the training images, which are not changed. */
  readonly datasetId: number;
}

/** Operations of a client on a model that it trains: mostly waiting. */
export const trainingOperations: readonly Operation<Omit<TrainingStage, 'visitor'>>[] = [
  { weight: 20, perform: train },
  // A running training job may activate any version.
  {
    weight: 1,
    perform: (stage) => (unfinished(stage.ledger).length > 0 ? train(stage) : switchVersion(stage)),
  },
  // A version that is being compared must stay.
  {
    weight: 1,
    perform: (stage) => (unfinished(stage.ledger).length > 0 ? train(stage) : deleteVersion(stage)),
  },
];

const lookEveryMs = 100;
/** With this number of versions, or before, a model is deleted, and the features of its images with it. */
const maxVersions = 2;

async function train(stage: TrainingStage): Promise<void> {
  const [going] = unfinished(stage.ledger);
  if (going) {
    await sleep(lookEveryMs);
    await followWork(stage, going);
    if (going[1].end !== null) await takeVersion(stage, going);
    return;
  }
  const [id, entry] = (await ownModel(stage)) ?? [];
  if (entry === undefined || id === undefined) return;
  const versions = staying(entry.versions).map(([number]) => number);
  const isCompared = [...stage.ledger.works.values()].some(
    ({ kind, subject }) => kind === 'comparison' && subject === id,
  );
  const isDone = versions.length >= maxVersions ? isCompared : versions.length > 0 && random() < 0.5;
  if (isDone) return deleteModel(stage);
  if (versions.length >= maxVersions) return begin(stage, entry, 'comparison', { id, versions });
  return begin(stage, entry, 'training', { id, versions });
}

async function begin(
  stage: TrainingStage,
  entry: ModelEntry,
  kind: 'training' | 'comparison',
  { id, versions }: { readonly id: number; readonly versions: readonly number[] },
): Promise<void> {
  const isTraining = kind === 'training';
  const before = entry.current;
  if (isTraining) entry.current = [...before, 'unheard'];
  const path = `/api/models/${id}/${isTraining ? 'runs' : 'comparisons'}`;
  const body = isTraining ? { dataset_id: stage.datasetId } : { versions: versions.slice(0, 2) };
  const begun = await call(stage, 'POST', path, body);
  const work = { kind, subject: id, imported: [], crashes: 0, end: null } as const;
  if (isAnswered(stage, `a ${kind}`, begun, '202', '409 conflict')) {
    stage.ledger.works.set(String(begun.json['id']), { ...work });
  } else if (begun.outcome === '409 conflict') {
    // An import that an earlier service received and never answered.
    const list = await call(stage, 'GET', `/api/jobs?subject=${id}&limit=5`);
    const found = listOf(list.json['data']).find((job) => job['ended_at'] === null);
    if (found) stage.ledger.works.set(String(found['id']), { ...work });
  }
}

/** The version that a training made. */
async function takeVersion(
  stage: TrainingStage,
  [jobId, { kind, subject, end }]: readonly [string, WorkEntry],
): Promise<void> {
  const entry = stage.ledger.models.get(subject);
  if (kind !== 'training' || end?.state !== 'done' || entry === undefined) return;
  const number = Number(end.result['version']);
  const read = await call(stage, 'GET', `/api/models/${subject}/versions/${number}`);
  if (!isAnswered(stage, `the version of ${jobId}`, read, '200')) return;
  if (read.json['job_id'] !== jobId)
    stage.ledger.wrong.push(`version ${number} is of job ${String(read.json['job_id'])}, not ${jobId}`);
  entry.current = [number];
  const labels = Array.isArray(read.json['labels']) ? read.json['labels'].map(String) : [];
  const uid = String(read.json['uid']);
  entry.versions.set(number, {
    uid,
    labels,
    digest: await stage.digestVersion(uid),
    isDeleted: 'no',
  });
}
