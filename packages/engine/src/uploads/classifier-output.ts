import { describe, type Evidence, everySight, isVector } from './evidence.js';
import type { Observed } from './observe.js';
import { UploadRefused } from './upload-refused.js';

/** Names of outputs with features or an embedding beside the classes. */
const featureTitle = /embed|feature|pool|hidden|repr|penultimate|avg/i;
const scoreTitle = /logit|prob|softmax|score|class|pred|loss|label/i;

/** The output of a classifier that holds the scores; others, such as its features, are not read. */
export function scoresOutput(evidence: Evidence): { output: Observed | undefined; note: string[] } {
  const vectors = evidence.seen.filter(isVector);
  const ranked = rankedOf(evidence, vectors);
  const unranked = vectors.filter((each) => !ranked.includes(each));
  if (ranked.length > 0 && unranked.length === 0) {
    throw new UploadRefused(
      `the model gives ${describe(ranked)}, its best scores in falling order or the numbers of their classes, so a score's place does not tell ` +
        'its class; export the model without its TopK, with a score for each class in the order of the labels',
    );
  }
  const [first, second] = vectors;
  if (second === undefined) return { output: first, note: [] };
  const output = choose(evidence, unranked);
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
    ({ data, name }) => data.length > 1 && areIndices(everySight(evidence, name)),
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
  const fitting = vectors.filter((each) => fitsLabels(evidence, each));
  if (fitting.length > 0) return surest(fitting) ?? fitting[0];
  const scores = vectors.filter(({ title }) => !featureTitle.test(title));
  const [only, another] = scores;
  return another === undefined ? only : surest(scores);
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
