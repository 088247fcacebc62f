import { areOneHot, scoresOutput } from './classifier-output.js';
import { describe, type Evidence, everySight, type FoundHead, isShare } from './evidence.js';
import type { Activation } from './import-options.js';
import { scales, type UsualInput } from './input.js';
import { isBackground, numbered, ownLabels } from './labels.js';
import type { Net } from './net.js';
import type { Observed } from './observe.js';
import { UploadRefused } from './upload-refused.js';

/** One output with a number per class: the graph and its values show whether they are probabilities. */
export function recogniseClassifier(evidence: Evidence): FoundHead | undefined {
  const { seen, options, net, known } = evidence;
  const { output, note } = scoresOutput(evidence);
  if (output === undefined) return undefined;
  const count = output.data.length;
  const single = count === 1;
  const { titles, firstClass, notes } = single
    ? labelsOfSingle(evidence)
    : labelsFor(evidence, count, describe(seen));
  const sights = everySight(evidence, output.name);
  const activation = options.activation ?? activationOf(output, sights, single);
  const isIndependent =
    options.activation === undefined && !single && activation === 'none' && !areSharesOf1(sights);
  return {
    family: 'classifier',
    head: { head: 'classifier', output: output.name, activation, firstClass, single },
    labels: titles,
    usual: usualInput(net, titles.length === known.imagenet.length),
    notes: [
      ...note,
      ...notes,
      ...(!single && areOneHot(sights)
        ? [
            `${output.title} is 1 for one class and 0 for the others in every drawn image: its scores may not say how sure it is.`,
          ]
        : []),
      ...(isIndependent ? ['Its scores do not sum to 1: each class is judged by itself.'] : []),
    ],
  };
}

/** The graph's last step decides; where it is unknown, numbers between 0 and 1 are probabilities. */
function activationOf(output: Observed, sights: readonly Observed[], single: boolean): Activation {
  const isDone = output.last === undefined ? isShare(sights) : output.last !== 'linear';
  if (isDone) return 'none';
  return single ? 'sigmoid' : 'softmax';
}

function areSharesOf1(sights: readonly Observed[]): boolean {
  return sights.every(({ data }) => Math.abs(data.reduce((total, number) => total + number, 0) - 1) <= 0.02);
}

interface ClassLabels {
  readonly titles: readonly string[];
  readonly firstClass: number;
  readonly notes: readonly string[];
}

/** One number is the score of the second of two classes, or of the only one. */
function labelsOfSingle({ options, net }: Evidence): ClassLabels {
  const own = options.labels ?? net.hints.labels;
  if (own === undefined) {
    const notes = [
      'It gives one number, the score of the second of two classes. The file names none; give labels, two or one.',
    ];
    return { titles: numbered(2), firstClass: 0, notes };
  }
  const [first = '', second, more] = own;
  if (more !== undefined)
    throw new UploadRefused(
      `the model gives one number, the score of the second of two classes; give two labels or one, not ${own.length}`,
    );
  if (second === undefined) {
    const notes = [`It gives one number, the score of ${first}; the rest to 1 is shown as not ${first}.`];
    return { titles: [`not ${first}`, first], firstClass: 0, notes };
  }
  const notes = [
    `It gives one number, the score of ${second}; the rest to 1 is that of ${first}. Give the labels the other way round where that is wrong.`,
  ];
  return { titles: [first, second], firstClass: 0, notes };
}

function labelsFor({ options, net, known }: Evidence, count: number, given: string): ClassLabels {
  const hasBackground = options.firstClass !== undefined || isBackground(net.hints.labels?.[0]);
  const own = hasBackground
    ? (options.labels ?? net.hints.labels)
    : ownLabels(options.labels, net.hints.labels, count);
  const firstClass = options.firstClass ?? (own !== undefined && own.length === count - 1 ? 1 : 0);
  if (own !== undefined) {
    if (own.length === count - firstClass) {
      const isAssumed = options.firstClass === undefined && firstClass === 1;
      return { titles: own, firstClass, notes: isAssumed ? [backgroundNote(own.length, count)] : [] };
    }
    // Lists of labels often have a row for the background too.
    if (options.labels === undefined && own.length === count)
      return { titles: own.slice(firstClass), firstClass, notes: [] };
    throw new UploadRefused(
      `the model gives ${given}, that is ${count - firstClass} classes; give as many labels, not ${own.length}`,
    );
  }
  const isImagenet = count - firstClass === known.imagenet.length || count === known.imagenet.length + 1;
  if (isImagenet) {
    const first = count - known.imagenet.length;
    const notes = [
      'The file names no classes; those of ImageNet are assumed by their number.',
      ...(first === 1 && options.firstClass === undefined
        ? [backgroundNote(known.imagenet.length, count)]
        : []),
    ];
    return { titles: known.imagenet, firstClass: first, notes };
  }
  const notes = ['The file names no classes; give labels to show more than their numbers.'];
  return { titles: numbered(count - firstClass), firstClass, notes };
}

function backgroundNote(labels: number, outputs: number): string {
  return (
    `The model gives ${outputs} numbers and there are ${labels} labels; the first number is taken for the background and left out. ` +
    `Give ${outputs} labels where it is a class.`
  );
}

/** Keras and TensorFlow feed -1 to 1, PyTorch by the mean of ImageNet, of which the centre is taken; YOLOv5 as PyTorch. */
function usualInput({ input, hints }: Net, isImagenet: boolean): UsualInput {
  const scale = input.order === 'nhwc' ? scales.around0 : scales.imagenet;
  if (hints.ultralytics !== undefined) return { scale, fit: 'centre' };
  return { scale, fit: isImagenet ? 'centre' : 'squash', fraction: isImagenet ? 0.875 : 1 };
}
