import { describe, type Evidence, type FoundHead, isVector } from './evidence.js';
import type { Activation } from './import-options.js';
import { scales, type UsualInput } from './input.js';
import { numbered, ownLabels } from './labels.js';
import type { Observed } from './observe.js';
import { UploadRefused } from './upload-refused.js';

/** One output with a number per class: its values show whether they are probabilities. */
export function recogniseClassifier(evidence: Evidence): FoundHead | undefined {
  const { seen, options, net, known } = evidence;
  const vectors = seen.filter(isVector);
  const [output] = vectors.toSorted((a, b) => b.data.length - a.data.length);
  if (output === undefined) return undefined;
  const count = output.data.length;
  const single = count === 1;
  const { titles, firstClass, notes } = labelsFor(evidence, single ? 2 : count, describe(seen));
  const multi = options.activation === undefined && isIndependent(output);
  return {
    family: 'classifier',
    head: {
      head: 'classifier',
      output: output.name,
      activation: options.activation ?? activationOf(output, single),
      firstClass,
      single,
    },
    labels: titles,
    usual: usualInput(net.input.order, titles.length === known.imagenet.length),
    notes: [...notes, ...(multi ? ['Its scores do not sum to 1: each class is judged by itself.'] : [])],
  };
}

function activationOf(output: Observed, single: boolean): Activation {
  if (isShare(output)) return 'none';
  return single ? 'sigmoid' : 'softmax';
}

/** All between 0 and 1. */
function isShare({ data }: Observed): boolean {
  return data.every((number) => number >= -1e-4 && number <= 1 + 1e-4);
}

function isIndependent(output: Observed): boolean {
  const sum = output.data.reduce((total, number) => total + number, 0);
  return output.data.length > 1 && isShare(output) && Math.abs(sum - 1) > 0.02;
}

function labelsFor(
  { options, net, known }: Evidence,
  count: number,
  given: string,
): { titles: readonly string[]; firstClass: number; notes: string[] } {
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

/** As TensorFlow's lists of labels begin. */
function isBackground(name: string | undefined): boolean {
  return name !== undefined && /^(\W*background\W*|\?+)$/i.test(name);
}

function backgroundNote(labels: number, outputs: number): string {
  return (
    `The model gives ${outputs} numbers and there are ${labels} labels; the first number is taken for the background and left out. ` +
    `Give ${outputs} labels where it is a class.`
  );
}

/** Keras and TensorFlow feed -1 to 1, PyTorch by the mean of ImageNet, of which the centre is taken. */
function usualInput(order: 'nchw' | 'nhwc', isImagenet: boolean): UsualInput {
  return {
    scale: order === 'nhwc' ? scales.around0 : scales.imagenet,
    fit: isImagenet ? 'centre' : 'squash',
    fraction: isImagenet ? 0.875 : 1,
  };
}
