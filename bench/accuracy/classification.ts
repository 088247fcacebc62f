import { concurrently } from '../concurrently.js';
import type { ClassPhoto } from './datasets.js';

/** Label ids of the classes, best first. */
export type AskClassifier = (bytes: Buffer) => Promise<readonly string[]>;

export interface ClassifierFigures {
  readonly images: number;
  readonly top1: number;
  readonly top5: number;
}

export async function evaluateClassifier(
  photos: readonly ClassPhoto[],
  ask: AskClassifier,
): Promise<ClassifierFigures> {
  const ranks = await concurrently(photos, 8, async ({ bytes, classId }) =>
    (await ask(bytes)).indexOf(classId),
  );
  const within = (count: number) => ranks.filter((rank) => rank >= 0 && rank < count).length / ranks.length;
  return { images: ranks.length, top1: within(1), top5: within(5) };
}
