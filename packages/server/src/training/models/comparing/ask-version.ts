import type { Analysis, Detection, ImageLimits, ModelManifest, ModelRef, ModelRunner } from '@lynceus/engine';
import { analyseWhenFree } from '../analyse-when-free.js';
import type { LabelMatch } from './match-labels.js';

/** A version with what of the dataset it tells. */
export interface AskedVersion {
  readonly ref: ModelRef;
  /** Of a detector: whether an object gets one label only. */
  readonly oneLabel: boolean;
  readonly match: LabelMatch;
  readonly labels: ModelManifest['labels'];
  /** Of a classifier whose labels do not exclude each other. */
  readonly thresholds: readonly number[] | undefined;
}

export interface AskDeps {
  readonly runner: Pick<ModelRunner, 'analyse'>;
  readonly limits: ImageLimits;
}

/** Of whom an image is asked about, and for how long. */
export interface Asking {
  readonly accountId: number;
  readonly signal: AbortSignal;
}

type Task = Parameters<ModelRunner['analyse']>[0]['tasks'][number];

/** Classes of the dataset that it answers; null for an image that cannot be analysed. */
export async function askClassifier(
  deps: AskDeps,
  { ref, match, labels, thresholds }: AskedVersion,
  path: string,
  asking: Asking,
): Promise<readonly number[] | null> {
  const topK = thresholds ? labels.length : 1;
  const found = await ask(deps, { task: 'classify', options: { model: ref, topK } }, path, asking);
  const classes = found?.results.classify?.classes;
  if (!classes) return null;
  const least = new Map(thresholds?.map((threshold, index) => [labels[index]?.id, threshold]));
  return classes
    .filter(({ label, score }) => !thresholds || score >= (least.get(label.id) ?? 0.5))
    .map(({ label }) => match.classOf(label));
}

/** Down to scores at which average precision no longer changes. */
const leastScore = 0.02;
const nmsIou = 0.45;

/** Boxes of the dataset's classes; null for an image that cannot be analysed. */
export async function askDetector(
  deps: AskDeps,
  { ref, oneLabel, match }: AskedVersion,
  path: string,
  asking: Asking,
) {
  const options = { models: [ref], minScore: leastScore, nmsIou, oneLabel };
  const found = await ask(deps, { task: 'detect', options }, path, asking);
  const detections: readonly Detection[] | undefined = found?.results.detect?.detections;
  return (
    detections
      ?.map(({ label, score, box }) => ({ classIndex: match.classOf(label), score, box }))
      .filter(({ classIndex }) => classIndex >= 0) ?? null
  );
}

function ask(
  { runner, limits }: AskDeps,
  task: Task,
  path: string,
  { accountId, signal }: Asking,
): Promise<Analysis | null> {
  const job = { source: { kind: 'file', path }, limits, tasks: [task] } as const;
  return analyseWhenFree(runner, job, { priority: 'background', owner: String(accountId), signal });
}
