import { elementCount } from '../onnx/graph/value.js';
import { type Evidence, type FoundHead, unitOf } from './evidence.js';
import { scales } from './input.js';
import { ownLabels } from './labels.js';
import type { Observed } from './observe.js';

/** Boxes [1,n,4], scores [1,n] and classes [1,n], overlaps suppressed already: TensorFlow's SSD, RT-DETR, torchvision. */
export function recogniseList(evidence: Evidence): FoundHead | undefined {
  const { seen, options, net, known } = evidence;
  const boxes = seen.find(({ dims }) => dims.at(-1) === 4 && (dims.length === 3 || dims.length === 2));
  if (boxes === undefined) return undefined;
  const count = boxes.data.length / 4;
  const lists = seen.filter(
    (each) => each !== boxes && each.data.length === count && elementCount(each.dims) === each.dims.at(-1),
  );
  if (lists.length < 2 || count < 1) return undefined;
  const scores = lists.find(({ title }) => /score|conf/i.test(title)) ?? lists.find(isFractional);
  const classes =
    lists.find((each) => each !== scores && /class|label/i.test(each.title)) ??
    lists.find((each) => each !== scores && each.data.every(isWhole));
  if (scores === undefined || classes === undefined) return undefined;
  const isTensorFlow = /detection_|PostProcess/i.test(boxes.title) || net.input.order === 'nhwc';
  // Lists in files often have a row for the background, which the user's need not have.
  const isComplete = options.labels?.length === (net.hints.labels?.length ?? 0) - 1;
  const own = isComplete ? options.labels : ownLabels(options.labels, net.hints.labels);
  const countsFromOne = isTensorFlow && /detection_classes/.test(classes.title);
  const firstClass = options.firstClass ?? (countsFromOne ? 1 : 0);
  const coco = cocoByNumber(known.coco, firstClass);
  return {
    family: 'detector',
    head: {
      head: 'list',
      boxesOutput: boxes.name,
      scoresOutput: scores.name,
      classesOutput: classes.name,
      boxes: {
        format: options.boxes?.format ?? (isTensorFlow ? 'yxyx' : 'xyxy'),
        unit: unitOf(evidence, boxes.data),
      },
      firstClass,
    },
    labels: own ?? (isTensorFlow ? coco : [...known.coco.values()]),
    usual: { scale: isTensorFlow ? scales.bytes : scales.upTo1, fit: 'squash' },
    notes: [
      `Read as finished boxes, scores and classes; ${count} at most.`,
      ...(own
        ? []
        : ['The file names no classes; those of COCO are assumed: give labels where they are others.']),
    ],
  };
}

function isFractional({ data }: Observed): boolean {
  return data.every((number) => number >= 0 && number <= 1) && !data.every(isWhole);
}

function isWhole(number: number): boolean {
  return Math.abs(number - Math.round(number)) < 0.01;
}

/** COCO's classes by number, 1 to 90; unused numbers get a placeholder. */
function cocoByNumber(coco: ReadonlyMap<number, string>, firstClass: number): string[] {
  // Where counting starts at 0, the numbers are one less.
  return Array.from({ length: 90 }, (_, index) => coco.get(index + 1) ?? `class ${index + firstClass}`);
}
