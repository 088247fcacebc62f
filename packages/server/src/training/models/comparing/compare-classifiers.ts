import { wilsonInterval } from '@lynceus/engine';

/** Classes of the dataset, by index: what an image shows, and what each of the two versions answered; -1: something else. */
export interface AnsweredImage {
  readonly id: number;
  readonly shown: readonly number[];
  readonly answered: readonly [first: readonly number[], second: readonly number[]];
}

const maxDifferences = 50;

/** The same images answered by two classifiers. */
export function compareClassifiers(images: readonly AnsweredImage[], titles: readonly string[]) {
  const rights = images.map(({ shown, answered: [first, second] }) => ({
    first: isRight(shown, first),
    second: isRight(shown, second),
  }));
  const count = (first: boolean, second: boolean) =>
    rights.filter((right) => right.first === first && right.second === second).length;
  const [onlyFirst, onlySecond] = [count(true, false), count(false, true)];
  const names = (classes: readonly number[]) => classes.map((index) => titles[index] ?? 'something else');
  return {
    figures: [figuresOf(images, 0, titles.length), figuresOf(images, 1, titles.length)] as const,
    both_right: count(true, true),
    only_first_right: onlyFirst,
    only_second_right: onlySecond,
    neither_right: count(false, false),
    p_value: signTest(onlyFirst, onlySecond),
    differences: images
      .filter((_, index) => rights[index]?.first !== rights[index]?.second)
      .slice(0, maxDifferences)
      .map(({ id, shown, answered }) => ({
        image_id: id,
        shown: names(shown),
        answered: answered.map(names),
      })),
  };
}

function figuresOf(images: readonly AnsweredImage[], which: 0 | 1, classes: number) {
  const right = images.filter(({ shown, answered }) => isRight(shown, answered[which])).length;
  const counts = Array.from({ length: classes }, () => ({ shown: 0, answered: 0 }));
  for (const { shown, answered } of images) {
    for (const index of new Set(shown)) {
      const count = counts[index];
      if (count === undefined) continue;
      count.shown += 1;
      if (answered[which].includes(index)) count.answered += 1;
    }
  }
  const recalls = counts.filter(({ shown }) => shown > 0).map((count) => count.answered / count.shown);
  return {
    accuracy: right / images.length,
    interval: wilsonInterval(right, images.length),
    balanced_accuracy: recalls.reduce((sum, recall) => sum + recall, 0) / Math.max(1, recalls.length),
  };
}

/** An image of nothing is right where none of the classes was answered. */
function isRight(shown: readonly number[], answered: readonly number[]): boolean {
  const predicted = answered.filter((index) => index >= 0);
  return predicted.length === shown.length && predicted.every((index) => shown.includes(index));
}

/**
 * How likely a difference at least this large is by chance when two models are equally good (McNemar's exact test, 1947):
 * of the images that one alone has right, each is as likely the one's as the other's.
 */
export function signTest(first: number, second: number): number {
  const discordant = first + second;
  if (discordant === 0) return 1;
  const fewer = Math.min(first, second);
  let tail = 0;
  let logTerm = -discordant * Math.LN2;
  for (let hits = 0; hits <= fewer; hits += 1) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(discordant - hits) - Math.log(hits + 1);
  }
  return Math.min(1, 2 * tail);
}
