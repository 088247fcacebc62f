import { Tensor as OrtTensor, type Tensor } from 'onnxruntime-node';
import { hitOverlap, overlap, sureScore } from './box-reading.js';
import { drawings, objectBox } from './draw-image.js';
import type { ImportOptions } from './import-options.js';
import { imageTensor, openSession, runSession } from './observe.js';
import type { Recognition } from './recognise.js';
import { UploadRefused } from './upload-refused.js';

export interface Trial {
  readonly cost: { readonly ms: number; readonly mb: number };
  readonly notes: readonly string[];
  /** How much its answers show that the image is seen as the net expects it. */
  readonly evidence: {
    /** Drawn objects that a sure box lies on. */
    readonly objects: number;
    /** Greatest difference of a class's log-odds between the images; 0 for other families. */
    readonly variation: number;
  };
}

type Outputs = Readonly<Record<string, Tensor>>;

const lowScore = 0.01;
/** One object has no more boxes than this, however unsure the net is. */
const mostBoxes = 50;
/** Keeps log-odds finite. */
const least = 1e-7;

/** Runs the finished graph on the drawn images and checks the contract of its family, and that its answers make sense. */
export async function tryModel(
  model: Uint8Array,
  { family, plan }: Recognition,
  options: ImportOptions,
): Promise<Trial> {
  const session = await openSession(model);
  const thresholds =
    family === 'detector'
      ? {
          score_threshold: new OrtTensor('float32', Float32Array.of(lowScore), [1]),
          iou_threshold: new OrtTensor('float32', Float32Array.of(0.45), [1]),
        }
      : {};
  const times: number[] = [];
  const answers: Outputs[] = [];
  let mb = 0;
  try {
    for (const drawing of drawings) {
      const image = imageTensor(plan.input, drawing);
      const start = performance.now();
      answers.push(await runSession(session, { image, ...thresholds }));
      times.push(performance.now() - start);
    }
    mb = Math.round(process.memoryUsage.rss() / 2 ** 20);
  } finally {
    await session.release();
  }
  for (const outputs of answers) check(outputs, family, plan.labels.length);
  const [, ms = 0] = times.toSorted((a, b) => a - b);
  const objects = family === 'detector' ? answers.slice(1).map(sureBoxes) : [];
  return {
    cost: { ms: Math.round(ms * 10) / 10, mb },
    notes: [...sameNote(answers), ...objectNotes(objects, plan.labels, options)],
    evidence: {
      objects: objects.filter((boxes) => boxes.some(({ box }) => overlap(box, objectBox) > hitOverlap))
        .length,
      variation: variationOf(family, answers),
    },
  };
}

function check(outputs: Outputs, family: Recognition['family'], labels: number): void {
  switch (family) {
    case 'classifier': {
      const row = floats(outputs, 'probabilities', [1, labels]);
      if (row.some((number) => number < -1e-3 || number > 1.001)) {
        throw new UploadRefused(
          'the scores of the classes do not lie between 0 and 1; give activation (softmax or sigmoid)',
        );
      }
      return;
    }
    case 'embedder':
      floats(outputs, 'embedding', [1, outputs['embedding']?.dims[1] ?? 0]);
      return;
    case 'detector': {
      const count = outputs['scores']?.dims[0] ?? 0;
      floats(outputs, 'boxes', [count, 4]);
      const scores = floats(outputs, 'scores', [count]);
      if (scores.some((score) => score > 1.001))
        throw new UploadRefused(
          'scores of boxes are above 1; give activation (sigmoid or softmax) or the layout',
        );
    }
  }
}

function floats(outputs: Outputs, name: string, dims: readonly number[]): Float32Array {
  const tensor = outputs[name];
  if (!(tensor?.data instanceof Float32Array) || tensor.dims.join() !== dims.join())
    throw new UploadRefused(`the model gives ${name} as [${tensor?.dims ?? ''}], not as [${dims}]`);
  if (!tensor.data.every(Number.isFinite)) {
    throw new UploadRefused(
      `the model gives numbers that are not finite for an ordinary image; check input.mean and input.std, or the export`,
    );
  }
  return tensor.data;
}

interface SureBox {
  readonly box: readonly [number, number, number, number];
  readonly score: number;
  readonly label: number;
}

/** Best first. */
function sureBoxes({ boxes, scores, classes }: Outputs): SureBox[] {
  const corners = (boxes?.data ?? []) as Float32Array;
  return Array.from((scores?.data ?? []) as Float32Array, (score, index) => ({
    box: [0, 1, 2, 3].map((side) => corners[4 * index + side] ?? 0) as [number, number, number, number],
    score,
    label: Number((classes?.data as BigInt64Array | undefined)?.[index] ?? 0),
  }))
    .filter(({ score }) => score >= sureScore)
    .sort((a, b) => b.score - a.score);
}

/**
 * What is answered for one object on a plain ground.
 * @throws UploadRefused for answers that cannot be meant, unless the options name the reading.
 */
function objectNotes(
  images: readonly (readonly SureBox[])[],
  labels: readonly string[],
  options: ImportOptions,
): string[] {
  const most = images.toSorted((a, b) => b.length - a.length)[0] ?? [];
  const empty = most.filter(({ box: [left, top, right, bottom] }) => right <= left || bottom <= top).length;
  const problem =
    most.length > mostBoxes
      ? `${most.length} boxes with a score of ${sureScore} or more for a drawn image of one object`
      : empty > 0 && empty === most.length
        ? 'boxes for a drawn image that lie outside it or have no area'
        : undefined;
  if (problem !== undefined) {
    const isGiven = options.layout ?? options.boxes ?? options.activation;
    if (isGiven === undefined)
      throw new UploadRefused(
        `the model gives ${problem}, so its outputs mean something else than they are read as; give layout, boxes or activation ` +
          '(none, where the scores are finished), or export it with its metadata',
      );
    return [`The model gives ${problem}; the options say how it is to be read.`];
  }
  return images.flatMap((boxes, index) => {
    const [best] = boxes;
    if (best === undefined) return [];
    const place = overlap(best.box, objectBox) > hitOverlap ? 'on it' : 'elsewhere';
    const counted = `${boxes.length} ${boxes.length === 1 ? 'box' : 'boxes'}`;
    return `For a drawn ${drawings[index + 1]} object it gives ${counted}; the best, ${labels[best.label]} with ${best.score.toFixed(2)}, lies ${place}.`;
  });
}

function sameNote(answers: readonly Outputs[]): string[] {
  const rows = answers.map((outputs) => Object.values(outputs).map(({ data }) => data.toString()));
  const isEmpty = rows.every((row) => row.every((data) => data === ''));
  return isEmpty || new Set(rows.map((row) => row.join(';'))).size > 1
    ? []
    : ['It answers the same for different images: its input may be scaled otherwise than assumed.'];
}

/** Greatest difference of a class's log-odds between the drawn images. */
function variationOf(family: Recognition['family'], answers: readonly Outputs[]): number {
  if (family !== 'classifier') return 0;
  const [first = [], ...others] = answers.map(({ probabilities }) =>
    Array.from(probabilities?.data as Float32Array, (share) =>
      Math.log((share + least) / (1 - share + least)),
    ),
  );
  return Math.max(
    ...others.flatMap((other) => other.map((odds, index) => Math.abs(odds - (first[index] ?? 0)))),
  );
}
