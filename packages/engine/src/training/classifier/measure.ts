import type { Calibration, ClassFigures, ClassifierFigures } from './classifier-report.js';
import type { Link } from './head-loss.js';
import { countShown } from './labelled.js';
import type { Matrix } from './matrix.js';

const binCount = 10;

export interface Answer {
  readonly probability: number;
  readonly isRight: boolean;
}

/** Probabilities of images with their true classes. */
export interface Scored {
  readonly probabilities: Matrix<Float64Array>;
  readonly shown: readonly (readonly number[])[];
  readonly link: Link;
  /** With `sigmoid`: the threshold of each label. */
  readonly thresholds: readonly number[];
}

/** @param trained Images of each class that were trained on. */
export function measure(scored: Scored, trained: readonly number[]): ClassifierFigures {
  const { probabilities, shown, link } = scored;
  const count = probabilities.columns;
  const answered = shown.map((_, row) => answersOf(scored, row));
  const right = shown.filter((labels, row) => sameLabels(labels, answered[row] ?? [])).length;
  const classes = Array.from({ length: count }, (_, label) =>
    classFigures(label, shown, answered, trained[label] ?? 0),
  );
  return {
    images: shown.length,
    accuracy: right / Math.max(1, shown.length),
    interval: wilsonInterval(right, shown.length),
    balancedAccuracy: link === 'softmax' ? meanRecall(classes) : meanOfBoth(count, shown, answered),
    classes,
    ...(link === 'softmax' && { confusion: confusionOf(count, shown, answered) }),
    calibration: measureCalibration(answersWithProbability(scored, answered)),
  };
}

/** The prediction for an image: the likeliest class, or every label from its threshold on. */
export function answersOf({ probabilities, link, thresholds }: Scored, row: number): number[] {
  const { columns } = probabilities;
  const own = [...probabilities.data.subarray(row * columns, (row + 1) * columns)];
  if (link === 'softmax') return [own.indexOf(Math.max(...own))];
  return own.flatMap((probability, label) => (probability >= (thresholds[label] ?? 0.5) ? [label] : []));
}

export function sameLabels(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((label) => b.includes(label));
}

/** Mean of the recalls of the classes with images. */
function meanRecall(classes: readonly Pick<ClassFigures, 'recall'>[]): number {
  const recalls = classes.flatMap(({ recall }) => (recall === null ? [] : [recall]));
  return recalls.reduce((sum, recall) => sum + recall, 0) / Math.max(1, recalls.length);
}

function classFigures(
  label: number,
  shown: readonly (readonly number[])[],
  answered: readonly (readonly number[])[],
  trained: number,
): ClassFigures {
  const measured = countShown(shown, label + 1)[label] ?? 0;
  const claimed = answered.filter((labels) => labels.includes(label)).length;
  const hits = shown.filter(
    (labels, row) => labels.includes(label) && (answered[row] ?? []).includes(label),
  ).length;
  return {
    label,
    trained,
    measured,
    precision: claimed === 0 ? null : hits / claimed,
    recall: measured === 0 ? null : hits / measured,
  };
}

function meanOfBoth(
  count: number,
  shown: readonly (readonly number[])[],
  answered: readonly (readonly number[])[],
): number {
  const shares = Array.from({ length: count }, (_, label) =>
    [true, false].flatMap((isShown) => {
      const rows = shown.flatMap((labels, row) => (labels.includes(label) === isShown ? [row] : []));
      const right = rows.filter((row) => (answered[row] ?? []).includes(label) === isShown).length;
      return rows.length === 0 ? [] : [right / rows.length];
    }),
  ).flat();
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
}

function confusionOf(
  count: number,
  shown: readonly (readonly number[])[],
  answered: readonly (readonly number[])[],
): number[][] {
  const table = Array.from({ length: count }, () => new Array<number>(count).fill(0));
  for (const [row, [truth = 0]] of shown.entries()) {
    const line = table[truth];
    const answer = answered[row]?.[0] ?? 0;
    if (line) line[answer] = (line[answer] ?? 0) + 1;
  }
  return table;
}

function answersWithProbability(
  { probabilities, shown, link }: Scored,
  answered: readonly (readonly number[])[],
): Answer[] {
  const { data, columns } = probabilities;
  return shown.flatMap((labels, row) => {
    const asked = link === 'softmax' ? (answered[row] ?? []) : Array.from({ length: columns }, (_, c) => c);
    return asked.map((label) => ({
      probability: data[row * columns + label] ?? 0,
      isRight: labels.includes(label),
    }));
  });
}

/** 95 % score interval of a share (Wilson 1927), which is valid for few images too. */
export function wilsonInterval(hits: number, count: number): { low: number; high: number } {
  if (count === 0) return { low: 0, high: 1 };
  const z = 1.96;
  const share = hits / count;
  const centre = share + (z * z) / (2 * count);
  const reach = z * Math.sqrt((share * (1 - share)) / count + (z * z) / (4 * count * count));
  const scale = 1 + (z * z) / count;
  return { low: Math.max(0, (centre - reach) / scale), high: Math.min(1, (centre + reach) / scale) };
}

/** Reliability of probabilities in tenths; a bin without answers is left out. */
function measureCalibration(answers: readonly Answer[]): Calibration {
  const bins = Array.from({ length: binCount }, (_, index) => {
    const inside = answers.filter(({ probability }) => binOf(probability) === index);
    const count = Math.max(1, inside.length);
    return {
      from: index / binCount,
      to: (index + 1) / binCount,
      answers: inside.length,
      probability: inside.reduce((sum, { probability }) => sum + probability, 0) / count,
      right: inside.filter(({ isRight }) => isRight).length / count,
    };
  }).filter((bin) => bin.answers > 0);
  const ece = bins.reduce((sum, bin) => sum + bin.answers * Math.abs(bin.probability - bin.right), 0);
  return { bins, ece: ece / Math.max(1, answers.length) };
}

function binOf(probability: number): number {
  return Math.min(binCount - 1, Math.floor(probability * binCount));
}
