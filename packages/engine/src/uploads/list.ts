import { elementCount } from '../onnx/graph/value.js';
import { readBoxes } from './box-reading.js';
import { firstClassOf, leastScore } from './class-numbers.js';
import { type Evidence, everySight, type FoundHead } from './evidence.js';
import { scales } from './input.js';
import { isBackground, numbered, ownLabels } from './labels.js';
import type { Observed } from './observe.js';
import { UploadRefused } from './upload-refused.js';

interface Lists {
  readonly boxes: Observed;
  readonly scores: Observed;
  readonly classes: Observed;
}

type Maker = 'tensorflow' | 'torchvision' | undefined;

/** COCO's class numbers with the background, as torchvision has them. */
const cocoNumbers = 91;

/** Boxes [1,n,4], scores [1,n] and classes [1,n], overlaps suppressed already: TensorFlow's SSD, RT-DETR, torchvision. */
export function recogniseList(evidence: Evidence): FoundHead | undefined {
  const { options, net } = evidence;
  const lists = listsOf(evidence);
  if (lists === undefined) return undefined;
  const { boxes, scores, classes } = lists;
  const maker = makerOf(evidence, lists);
  const isTensorFlow = maker === 'tensorflow';
  const shown = answersOf(evidence, lists);
  const own = labelsOf(evidence, maker);
  const countsFromOne = (isTensorFlow && /detection_classes/.test(classes.title)) || maker === 'torchvision';
  const { firstClass, notes } = firstClassOf({
    options,
    answered: shown.flat().flatMap(({ score, label }) => (score >= leastScore ? [label] : [])),
    labels: own?.titles.length,
    usual: {
      firstClass: countsFromOne ? 1 : 0,
      as: isTensorFlow ? "those of TensorFlow's Object Detection" : "torchvision's do",
    },
  });
  const reading = readBoxes(evidence, shown, {
    format: isTensorFlow ? 'yxyx' : 'xyxy',
    unit: isTensorFlow || /^detected_/.test(boxes.title) ? 'relative' : 'pixels',
    others: isTensorFlow ? ['xyxy'] : ['cxcywh', 'yxyx'],
  });
  const count = Math.max(...everySight(evidence, boxes.name).map(({ data }) => data.length / 4));
  return {
    family: 'detector',
    head: {
      head: 'list',
      boxesOutput: boxes.name,
      scoresOutput: scores.name,
      classesOutput: classes.name,
      boxes: reading.boxes,
      firstClass,
    },
    labels: own?.titles ?? assumedLabels(evidence, maker, firstClass),
    usual: { scale: isTensorFlow ? scales.bytes : scales.upTo1, fit: 'squash' },
    notes: [
      boxes.dims.length === 2
        ? 'Read as finished boxes, scores and classes, as many as it finds.'
        : `Read as finished boxes, scores and classes; ${count} at most.`,
      ...(own?.notes ?? []),
      ...notes,
      ...reading.notes,
      ...(own || net.hints.torchvision?.classes !== undefined
        ? []
        : ['The file names no classes; those of COCO are assumed: give labels where they are others.']),
    ],
  };
}

function listsOf({ seen, observations, net }: Evidence): Lists | undefined {
  const boxes = seen.find(({ dims }) => dims.at(-1) === 4 && (dims.length === 3 || dims.length === 2));
  if (boxes === undefined) return undefined;
  // A net that finds nothing in the first image gives no rows for it.
  const count = boxes.data.length / 4;
  const lists = seen.filter(
    (each) => each !== boxes && each.data.length === count && elementCount(each.dims) === each.dims.at(-1),
  );
  const [second, third] = lists;
  if (second === undefined || third === undefined) return undefined;
  const numbersOf = ({ name }: Observed) =>
    observations.flatMap((outputs) => [...(outputs.find((output) => output.name === name)?.data ?? [])]);
  const scores =
    lists.find(({ title }) => /score|conf/i.test(title)) ??
    lists.find((each) => isFractional(numbersOf(each)));
  const classes =
    lists.find((each) => each !== scores && /class|label/i.test(each.title)) ??
    lists.find((each) => each !== scores && numbersOf(each).every(isWhole));
  if (scores !== undefined && classes !== undefined) return { boxes, scores, classes };
  // torchvision's order, where the outputs have no names and nothing was found in the drawn images.
  return net.hints.torchvision && { boxes, classes: second, scores: third };
}

function isFractional(numbers: readonly number[]): boolean {
  return numbers.every((number) => number >= 0 && number <= 1) && !numbers.every(isWhole);
}

function isWhole(number: number): boolean {
  return Math.abs(number - Math.round(number)) < 0.01;
}

/** torchvision's boxes have no axis of images: as many rows as it found. Custom Vision's have names of their own. */
function makerOf({ net }: Evidence, { boxes, classes }: Lists): Maker {
  if (net.hints.torchvision !== undefined) return 'torchvision';
  if (/detection_|PostProcess/i.test(boxes.title) || net.input.order === 'nhwc') return 'tensorflow';
  const isOne = boxes.dims.length === 2 && !/class|^det/i.test(`${classes.title} ${boxes.title}`);
  return isOne ? 'torchvision' : undefined;
}

/** Boxes with their scores and class numbers, for each drawn image. */
function answersOf(evidence: Evidence, { boxes, scores, classes }: Lists) {
  const [boxSights, scoreSights, classSights] = [boxes, scores, classes].map(({ name }) =>
    everySight(evidence, name),
  );
  return (boxSights ?? []).map(({ data }, image) =>
    Array.from({ length: data.length / 4 }, (_, row) => ({
      sides: [0, 1, 2, 3].map((side) => data[4 * row + side] ?? 0) as [number, number, number, number],
      score: scoreSights?.[image]?.data[row] ?? 0,
      label: Math.round(classSights?.[image]?.data[row] ?? 0),
    })).filter(({ score }) => score > 0),
  );
}

/** The labels without the background. */
function labelsOf(
  { options, net }: Evidence,
  maker: Maker,
): { titles: readonly string[]; notes: string[] } | undefined {
  const { hints } = net;
  // Lists in files often have a row for the background, which the user's need not have.
  const isComplete = options.labels?.length === (hints.labels?.length ?? 0) - 1;
  const own = isComplete ? options.labels : ownLabels(options.labels, hints.labels);
  if (own === undefined || maker !== 'torchvision' || options.firstClass === 0)
    return own && { titles: own, notes: [] };
  const classes = hints.torchvision?.classes;
  const hasBackground = own.length === classes || isBackground(own[0]);
  const titles = hasBackground ? own.slice(1) : own;
  if (classes !== undefined && options.firstClass === undefined && titles.length !== classes - 1)
    throw new UploadRefused(
      `the model has ${classes - 1} classes and the background; give ${classes - 1} labels, not ${own.length}`,
    );
  const notes = hasBackground
    ? [`The first label, ${own[0]}, is taken for the background and left out.`]
    : [];
  return { titles, notes };
}

function assumedLabels({ net, known }: Evidence, maker: Maker, firstClass: number): readonly string[] {
  const classes = net.hints.torchvision?.classes ?? cocoNumbers;
  if (maker === 'torchvision' && classes !== cocoNumbers) return numbered(classes - 1);
  return maker === undefined ? [...known.coco.values()] : cocoByNumber(known.coco, firstClass);
}

/** COCO's classes by number, 1 to 90; unused numbers get a placeholder. */
function cocoByNumber(coco: ReadonlyMap<number, string>, firstClass: number): string[] {
  // Where counting starts at 0, the numbers are one less.
  return Array.from({ length: 90 }, (_, index) => coco.get(index + 1) ?? `class ${index + firstClass}`);
}
