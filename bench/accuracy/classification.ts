import { concurrently } from '../concurrently.js';
import type { ClassPhotograph } from './datasets.js';

/** Label ids of the classes, best first. */
export type AskClassifier = (bytes: Buffer) => Promise<readonly string[]>;

export interface ClassifierFigures {
  readonly pictures: number;
  readonly top1: number;
  readonly top5: number;
}

export async function evaluateClassifier(
  photographs: readonly ClassPhotograph[],
  ask: AskClassifier,
): Promise<ClassifierFigures> {
  const ranks = await concurrently(photographs, 8, async ({ bytes, classId }) =>
    (await ask(bytes)).indexOf(classId),
  );
  const within = (count: number) => ranks.filter((rank) => rank >= 0 && rank < count).length / ranks.length;
  return { pictures: ranks.length, top1: within(1), top5: within(5) };
}
