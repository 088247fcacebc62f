import { describe, type Evidence, isVector } from './evidence.js';
import type { Observed } from './observe.js';
import { UploadRefused } from './upload-refused.js';

/** Names of outputs with features or an embedding beside the classes. */
const featureTitle = /embed|feature|pool|hidden|repr|penultimate|avg/i;
const scoreTitle = /logit|prob|softmax|score|class|pred|loss|label/i;

/** The output of a classifier that holds the scores; others, such as its features, are not read. */
export function scoresOutput(evidence: Evidence): { output: Observed | undefined; note: string[] } {
  const vectors = evidence.seen.filter(isVector);
  const [first, second] = vectors;
  if (second === undefined) return { output: first, note: [] };
  const output = choose(evidence, vectors);
  if (output === undefined) {
    throw new UploadRefused(
      `the model gives ${describe(vectors)}, and it is not known which of them holds the scores of its classes; ` +
        'give a label for each class, or export it with that output alone',
    );
  }
  const others = vectors.filter((each) => each !== output);
  return { output, note: [`Its scores are those of ${output.title}; ${describe(others)} is not read.`] };
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
