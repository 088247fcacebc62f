import { elementCount } from '../onnx/graph/value.js';
import { type RawBox, readBoxes } from './box-reading.js';
import { type Evidence, everySight, type FoundHead, fewestBoxes, isShare } from './evidence.js';
import type { Activation } from './import-options.js';
import { scales, type UsualInput } from './input.js';
import { numbered, ownLabels } from './labels.js';
import type { Observed } from './observe.js';
import { UploadRefused } from './upload-refused.js';

/** More boxes than a DETR has: anchors of an SSD. */
const mostQueries = 1_500;

/** Boxes [1,n,4] beside scores [1,n,c]: DETR and its kin, and SSD before its overlaps are suppressed. */
export function recognisePair(evidence: Evidence): FoundHead | undefined {
  const { seen, options, net } = evidence;
  const isKnown = (options.family ?? net.hints.family) === 'detector' || options.layout !== undefined;
  const fewest = isKnown ? 1 : fewestBoxes;
  const boxes = find(seen, /box/i, ({ dims }) => dims.at(-1) === 4 && elementCount(dims) >= 4 * fewest);
  if (boxes === undefined) return undefined;
  const count = boxes.data.length / 4;
  const scores = find(seen, /logit|score|class|prob/i, (each) => each !== boxes && isScores(each, count));
  if (scores === undefined) return undefined;
  const columns = scores.data.length / count;
  const isDetr = count <= mostQueries && !/Postprocessor|detection_/.test(boxes.title);
  const classes = classesOf(evidence, columns, scores, isDetr);
  const reading = readBoxes(evidence, answersOf(evidence, boxes, scores, classes), {
    format: isDetr ? 'cxcywh' : net.format === 'onnx' ? 'xyxy' : 'yxyx',
    unit: 'relative',
    others: isDetr ? ['xyxy'] : ['cxcywh', net.format === 'onnx' ? 'yxyx' : 'xyxy'],
  });
  return {
    family: 'detector',
    head: {
      head: 'pair',
      boxesOutput: boxes.name,
      scoresOutput: scores.name,
      boxes: reading.boxes,
      activation: classes.activation,
      columns: classes.columns,
    },
    labels: classes.labels,
    usual: usualOf(evidence, isDetr, classes.activation),
    notes: [
      `Read as ${isDetr ? 'DETR' : 'SSD'}: ${count} boxes, ${columns} scores each.`,
      ...classes.notes,
      ...reading.notes,
    ],
  };
}

function find(
  seen: readonly Observed[],
  title: RegExp,
  fits: (each: Observed) => boolean,
): Observed | undefined {
  const fitting = seen.filter(fits);
  return fitting.find((each) => title.test(each.title)) ?? fitting[0];
}

/** [1,n,c] with the same n, but not another list of boxes' numbers. */
function isScores({ dims, data }: Observed, count: number): boolean {
  return dims.length === 3 && dims[1] === count && data.length / count >= 1;
}

/** Boxes with the best score of a class, for each drawn image. */
function answersOf(
  evidence: Evidence,
  boxes: Observed,
  scores: Observed,
  { columns, activation }: Classes,
): RawBox[][] {
  const scoreSights = everySight(evidence, scores.name);
  const width = scores.data.length / (boxes.data.length / 4);
  const share = (number: number) => (activation === 'none' ? number : 1 / (1 + Math.exp(-number)));
  return everySight(evidence, boxes.name).map(({ data }, image) =>
    Array.from({ length: data.length / 4 }, (_, row): RawBox => {
      const at = (column: number) => scoreSights[image]?.data[row * width + column] ?? 0;
      const [a = 0, b = 0, c = 0, d = 0] = data.subarray(4 * row, 4 * row + 4);
      return { sides: [a, b, c, d], score: share(Math.max(...columns.map(at))) };
    }),
  );
}

interface Classes {
  readonly labels: readonly string[];
  readonly columns: number[];
  readonly activation: Activation;
  readonly notes: readonly string[];
}

/**
 * Which columns have a label; COCO's numbers have gaps, a DETR's softmax has a last column for "nothing", and an SSD's a first one for
 * the background.
 */
function classesOf(evidence: Evidence, columns: number, scores: Observed, isDetr: boolean): Classes {
  const { options, net, known } = evidence;
  const shares = isShare(everySight(evidence, scores.name));
  const own = ownLabels(options.labels, net.hints.labels, columns - (options.firstClass ?? 0));
  const spare = columns - (own?.length ?? columns);
  const mayHave = options.firstClass === undefined && (own ? spare === 1 : shares && columns > 1);
  const background = mayHave ? backgroundOf(evidence, scores, columns, own !== undefined) : undefined;
  // Where the values do not show it: an SSD has its background first, a DETR last.
  const isBackgroundFirst =
    background === 'first' || (background === undefined && mayHave && own !== undefined && !isDetr);
  const first = options.firstClass ?? (isBackgroundFirst ? 1 : 0);
  const guess = (softmax: boolean): Activation =>
    options.activation ??
    (shares ? 'none' : softmax ? 'softmax-last' : isBackgroundFirst ? 'softmax' : 'sigmoid');
  const list = (count: number, from = first) => Array.from({ length: count }, (_, index) => index + from);
  const backgroundNotes = isBackgroundFirst
    ? [
        'The first score of each box is taken for the background and left out. Give first_class 0 where it is a class.',
      ]
    : [];
  if (own !== undefined) {
    if (own.length > columns - first)
      throw new UploadRefused(
        `the model gives scores of ${columns} classes; give as many labels, not ${own.length}`,
      );
    const activation = guess(isDetr && own.length === columns - 1 && !isBackgroundFirst);
    const notes = restNotes(columns - first - own.length, columns, activation === 'softmax-last');
    return { labels: own, columns: list(own.length), activation, notes: [...backgroundNotes, ...notes] };
  }
  const notes = ["The file names no classes; COCO's are assumed by their number."];
  const ids = [...known.coco.keys()];
  if (columns === 80)
    return { labels: [...known.coco.values()], columns: list(80), activation: guess(false), notes };
  if (columns >= 90 && columns <= 92) {
    // 90: numbers from 1; 91: from 0; 92: from 0 with "nothing" at the end.
    const shift = columns === 90 ? 1 : 0;
    return {
      labels: [...known.coco.values()],
      columns: ids.map((id) => id - shift),
      activation: guess(columns === 92),
      notes,
    };
  }
  if (options.activation === undefined && !shares) {
    throw new UploadRefused(
      `the model gives ${columns} scores a box; give labels, so that it is known whether one of them stands for "nothing"`,
    );
  }
  const hasNothing = options.activation === 'softmax-last' || background === 'last';
  const count = columns - first - (hasNothing ? 1 : 0);
  return {
    labels: numbered(count),
    columns: list(count),
    activation: guess(false),
    notes: [...backgroundNotes, 'The file names no classes; give labels to show more than their numbers.'],
  };
}

/**
 * Most boxes show nothing, so the score of the background leads; undefined where neither the first nor the last does. Without names, only
 * scores that share 1 among them have a background.
 */
function backgroundOf(
  evidence: Evidence,
  scores: Observed,
  columns: number,
  isNamed: boolean,
): 'first' | 'last' | undefined {
  let [first, last, shared, count] = [0, 0, 0, 0];
  for (const { data } of everySight(evidence, scores.name)) {
    for (let at = 0; at < data.length; at += columns, count++) {
      const row = data.subarray(at, at + columns);
      const sum = row.reduce((total, number) => total + number, 0);
      if (Math.abs(sum - 1) < 0.02) shared++;
      const rest = row.subarray(1, -1);
      const [head = 0, tail = 0, greatest] = [row[0], row.at(-1), Math.max(...rest)];
      if (head > tail && head > greatest) first++;
      if (tail > head && tail > greatest) last++;
    }
  }
  if (!isNamed && shared < 0.9 * count) return undefined;
  if (first > count / 2) return 'first';
  return last > count / 2 ? 'last' : undefined;
}

/** @param rest Scores of a box without a label. */
function restNotes(rest: number, columns: number, isNothing: boolean): string[] {
  if (rest === 0) return [];
  const taken = isNothing
    ? 'the last is taken for "nothing"'
    : `the last ${rest === 1 ? 'one is' : `${rest} are`} not read`;
  return [
    `Each box has ${columns} scores, more than there are labels; ${taken}. Give more labels where they are classes.`,
  ];
}

/** DETR expects ImageNet's mean, RT-DETR bytes divided by 255, TensorFlow's SSD bytes. */
function usualOf({ net }: Evidence, isDetr: boolean, activation: Activation): UsualInput {
  if (isDetr) return { scale: activation === 'softmax-last' ? scales.imagenet : scales.upTo1, fit: 'squash' };
  return { scale: net.format === 'onnx' ? scales.upTo1 : scales.bytes, fit: 'squash' };
}
