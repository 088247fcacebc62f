import { describe, type Evidence, everySight, isVector } from './evidence.js';
import type { Observed } from './observe.js';
import { UploadRefused } from './upload-refused.js';

/** Names of outputs with features or an embedding beside the classes. */
const featureTitle = /embed|feature|pool|hidden|repr|penultimate|avg/i;
const scoreTitle = /logit|prob|softmax|score|class|pred|loss|label/i;

const indexTitle = /ind(ex|ices)|(^|_)ix|order|sort|top|class_?id/i;

/** The output of a classifier that holds the scores; others, such as its features, are not read. */
export function scoresOutput(evidence: Evidence): { output: Observed | undefined; note: string[] } {
  const all = evidence.seen.filter(isVector);
  const vectors = all.filter((output) => !isClassNumber(output));
  const [number] = all;
  if (vectors.length === 0 && number !== undefined) {
    throw new UploadRefused(
      `the model gives ${describe(all)}, the number of its best class without scores; export it without its last ArgMax, with a score for each class`,
    );
  }
  const ranked = rankedOf(evidence, vectors);
  const unranked = vectors.filter((each) => !ranked.includes(each));
  if (ranked.length > 0 && unranked.length === 0) {
    throw new UploadRefused(
      `the model gives ${describe(ranked)}, its best scores in falling order or the numbers of their classes, so a score's place does not tell ` +
        'its class; export the model without its TopK, with a score for each class in the order of the labels',
    );
  }
  const scores = unranked.filter(({ isInteger }) => isInteger !== true);
  if (vectors.length > 0 && scores.length === 0) {
    throw new UploadRefused(
      `the model gives ${describe(evidence.seen)}, and ${describe(vectors)} holds whole numbers: numbers of classes, or a mark of the best one, rather than scores; ` +
        'of a detector give the family, of a classifier export a score for each class as float32',
    );
  }
  const [first, second] = vectors;
  if (second === undefined) return { output: first, note: [] };
  const output = choose(evidence, scores);
  if (output === undefined) {
    throw new UploadRefused(
      `the model gives ${describe(vectors)}, and it is not known which of them holds the scores of its classes; ` +
        'give a label for each class, or export it with that output alone',
    );
  }
  const others = vectors.filter((each) => each !== output);
  return { output, note: [`Its scores are those of ${output.title}; ${describe(others)} is not read.`] };
}

/**
 * Outputs of a TopK. Where the graph hides the TopK, for example behind a softmax of the best scores, two outputs of one length show it in
 * every run: whole numbers that all differ, and numbers that never rise.
 */
function rankedOf(evidence: Evidence, vectors: readonly Observed[]): readonly Observed[] {
  const ofGraph = vectors.filter(({ last }) => last === 'top-k');
  const indices = vectors.filter(
    ({ data, name, last, title }) =>
      data.length > 1 &&
      last !== 'one-hot' &&
      areIndices(everySight(evidence, name)) &&
      (indexTitle.test(title) || !areOneHotOfTwo(everySight(evidence, name))),
  );
  const pairs = indices.flatMap((index) => {
    const sorted = vectors.find(
      (each) =>
        each !== index &&
        each.data.length === index.data.length &&
        neverRise(everySight(evidence, each.name)),
    );
    return sorted === undefined ? [] : [sorted, index];
  });
  return vectors.filter((each) => ofGraph.includes(each) || pairs.includes(each));
}

function areIndices(sights: readonly Observed[]): boolean {
  return sights.every(
    ({ data }) =>
      new Set(data).size === data.length && data.every((number) => number >= 0 && Number.isInteger(number)),
  );
}

/** Of two classes 1 and 0 are their order, or mark the first as the best, which it is in scores that never rise. */
function areOneHotOfTwo(sights: readonly Observed[]): boolean {
  return sights.every(({ data }) => data.length === 2 && data[0] === 1 && data[1] === 0);
}

function isClassNumber({ last, data }: Observed): boolean {
  return last === 'arg-max' && data.length === 1;
}

function neverRise(sights: readonly Observed[]): boolean {
  return sights.every(({ data }) =>
    data.every((number, index) => index === 0 || number <= (data[index - 1] ?? number)),
  );
}

/** Whether an output beside a detector's may be that of a classifier. */
export function isScores(evidence: Evidence, output: Observed): boolean {
  if (!isVector(output) || output.data.length < 2) return false;
  return fitsLabels(evidence, output) || (scoreTitle.test(output.title) && !featureTitle.test(output.title));
}

function choose(evidence: Evidence, vectors: readonly Observed[]): Observed | undefined {
  const sure = vectors.filter(
    ({ last, name }) => last !== 'one-hot' && !areOneHot(everySight(evidence, name)),
  );
  const fitting = (sure.length > 0 ? sure : vectors).filter((each) => fitsLabels(evidence, each));
  if (fitting.length > 0) return surest(fitting) ?? fitting[0];
  const scores = vectors.filter(({ title }) => !featureTitle.test(title));
  const [only, another] = scores;
  return another === undefined ? only : surest(scores);
}

/** 1 for one class and 0 for the others: which is the best, and nothing of how sure that is. */
export function areOneHot(sights: readonly Observed[]): boolean {
  return sights.every(
    ({ data }) =>
      data.every((number) => Math.abs(number) < 1e-6 || Math.abs(number - 1) < 1e-6) &&
      data.filter((number) => number > 0.5).length === 1,
  );
}

/** One label for each number, with a background, or one number for two labels. */
function fitsLabels({ options, net, known }: Evidence, { data }: Observed): boolean {
  const labels = (options.labels ?? net.hints.labels)?.length;
  if (labels === undefined) return data.length === known.imagenet.length;
  const counts = [labels, labels + 1, ...(labels <= 2 ? [1] : [])];
  return counts.includes(data.length);
}

/** Probabilities before logits. */
function surest(outputs: readonly Observed[]): Observed | undefined {
  const isOne = [
    ({ last }: Observed) => last === 'softmax' || last === 'sigmoid',
    ({ title }: Observed) => scoreTitle.test(title),
  ];
  for (const test of isOne) {
    const [only, another] = outputs.filter(test);
    if (only !== undefined && another === undefined) return only;
  }
  return undefined;
}
