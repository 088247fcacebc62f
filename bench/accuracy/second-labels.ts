import { averagePrecision, type EvaluatedImage, judge } from '@lynceus/engine';
import { boxIou } from '#engine/image/box.js';
import { formatTable, share } from '../table.js';
import type { LabelledPhoto } from './datasets.js';
import { type AskDetector, askAll, compareDetectors } from './detection.js';

const classCount = 80;
/** What clients send. */
const sent = { minScore: 0.4, nmsIou: 0.45 };
/** IoU from which a box is on the object of another. */
const sameObject = [0.5, 0.6, 0.75] as const;

export interface ComparedDetector {
  readonly name: string;
  /** With `oneLabel` or without. */
  ask(oneLabel: boolean): AskDetector;
}

/** How often an object has several labels, with and without their weakening, and what that does to the average precision. */
export async function compareSecondLabels(
  photos: readonly LabelledPhoto[],
  detectors: readonly ComparedDetector[],
): Promise<string> {
  const iouColumns = sameObject.map((iou) => `IoU >= ${iou}`);
  const rows = [['one object, several labels', 'AP50', 'AP', 'boxes from .4 on', ...iouColumns]];
  const differences: string[] = [];
  for (const { name, ask } of detectors) {
    const all = async (oneLabel: boolean) =>
      judge(await askAll(photos, ask(oneLabel), { minScore: 0, nmsIou: 0.6 }), classCount);
    const judged = { before: await all(false), after: await all(true) };
    for (const [way, oneLabel] of [
      ['before', false],
      ['after', true],
    ] as const) {
      const answers = await askAll(photos, ask(oneLabel), sent);
      const boxes = answers.reduce((sum, { detections }) => sum + detections.length, 0);
      const { ap50, ap } = averagePrecision(judged[way]);
      const shared = sameObject.map((iou) => {
        const count = countSecondLabels(answers, iou);
        return `${count} (${share(count / boxes)})`;
      });
      rows.push([`${name}, ${way}`, share(ap50), share(ap), String(boxes), ...shared]);
    }
    for (const figure of ['ap50', 'ap'] as const) {
      const { difference, interval } = compareDetectors(judged.after, judged.before, figure);
      differences.push(
        `${name}, after less before, ${figure.toUpperCase()}: ${share(difference)} ` +
          `(95 % interval ${share(interval.low)} to ${share(interval.high)}, paired bootstrap)`,
      );
    }
  }
  return [formatTable(rows), ...differences].join('\n');
}

/** Boxes that overlap a better one of another class by `minIou`, unless both are right: a rider and a motorcycle are two objects. */
export function countSecondLabels(answers: readonly EvaluatedImage[], minIou: number): number {
  let count = 0;
  for (const { detections, truths } of answers) {
    const ordered = [...detections].sort((a, b) => b.score - a.score);
    const areRight = ordered.map((found) =>
      truths.some((truth) => truth.classIndex === found.classIndex && boxIou(truth.box, found.box) >= 0.5),
    );
    ordered.forEach((found, index) => {
      const isSecond = ordered
        .slice(0, index)
        .some(
          (better, at) =>
            better.classIndex !== found.classIndex &&
            boxIou(better.box, found.box) >= minIou &&
            !(areRight[at] && areRight[index]),
        );
      if (isSecond) count += 1;
    });
  }
  return count;
}
