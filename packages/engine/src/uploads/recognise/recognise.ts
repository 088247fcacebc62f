import type { Net } from '../net/net.js';
import type { Observed } from '../observe.js';
import type { UploadPlan } from '../plan.js';
import type { Told, UploadFamily } from '../told.js';
import { UploadRefused } from '../upload-refused.js';
import { recogniseClassifier } from './classifier.js';
import { recogniseDetector } from './detector.js';
import { planInput, scales, type UsualInput } from './input.js';
import { distinct, type KnownLabels } from './labels.js';

export interface Recognition {
  readonly family: UploadFamily;
  readonly plan: UploadPlan;
  /** What was assumed because nothing told it, one sentence each. */
  readonly notes: readonly string[];
}

/** A head with what it is commonly fed, on its way to a plan. */
export interface FoundHead {
  readonly family: UploadFamily;
  readonly head: UploadPlan['head'];
  readonly labels: readonly string[];
  readonly usual: UsualInput;
  readonly notes: readonly string[];
}

export interface Evidence {
  readonly net: Net;
  readonly told: Told;
  readonly seen: readonly Observed[];
  readonly known: KnownLabels;
  readonly width: number;
  readonly height: number;
}

/**
 * What a net is, from what it gave for a picture, what its file says and what its owner told, in the reverse order of
 * weight.
 * @throws UploadRefused telling what was found, and what to tell.
 */
export function recognise(evidence: Evidence): Recognition {
  const { net, told } = evidence;
  const wanted = told.family ?? (told.layout === undefined ? net.hints.family : 'detector');
  const found = find(evidence, wanted);
  if (found === undefined) {
    throw new UploadRefused(
      `the model gives ${describe(evidence.seen)}, which fits no ${wanted ?? 'family'}; tell family ` +
        '(classifier, detector or embedder), and of a detector its layout, or export it with its usual outputs',
    );
  }
  const { head, family, usual } = found;
  const plan = { input: planInput(net, told, usual), head, labels: distinct(found.labels) };
  const guessed =
    net.hints.scale === undefined && told.input?.mean === undefined && told.input?.std === undefined;
  return { family, plan, notes: [...found.notes, ...(guessed ? [scaleNote(plan)] : [])] };
}

function find(evidence: Evidence, wanted: UploadFamily | undefined): FoundHead | undefined {
  const { seen, net } = evidence;
  if (wanted === 'embedder' || (wanted === undefined && isEmbedding(evidence))) {
    const [output] = seen;
    if (output === undefined || !isVector(output)) return undefined;
    const scale = net.input.order === 'nhwc' ? scales.around0 : scales.imagenet;
    return {
      family: 'embedder',
      head: { head: 'embedder', output: output.name },
      labels: [],
      usual: { scale, fit: 'squash' },
      notes: [],
    };
  }
  if (wanted !== 'classifier') {
    const detector = recogniseDetector(evidence);
    if (detector !== undefined || wanted === 'detector') return detector;
  }
  return recogniseClassifier(evidence);
}

function isEmbedding({ seen, told, net }: Evidence): boolean {
  const [output, ...others] = seen;
  if (output === undefined || others.length > 0 || !isVector(output)) return false;
  if (told.labels !== undefined || net.hints.labels !== undefined) return false;
  const length = Math.hypot(...output.data);
  const signed = output.data.some((number) => number < -1e-6);
  return (signed && Math.abs(length - 1) < 1e-3) || /embed|feature/i.test(output.title);
}

/** [1,n], perhaps with further sides of 1. */
export function isVector({ dims, data }: Observed): boolean {
  return data.length > 0 && dims.filter((side) => side !== 1).length <= 1 && dims.length <= 4;
}

export function describe(seen: readonly Observed[]): string {
  return seen.map(({ title, dims }) => `${title} [${dims.join(',')}]`).join(', ') || 'nothing';
}

function scaleNote({ input: { scale } }: UploadPlan): string {
  return (
    `The file does not say how its picture is scaled; (byte - ${scale.mean.join('/')}) / ${scale.std.join('/')} ` +
    `in the order ${scale.channels} is assumed. Tell input.mean, input.std and input.channels where that is wrong.`
  );
}
