import type { Label } from '../../catalog/manifest.js';
import { boxIou } from '../../image/box.js';
import type { Mistake } from './detector-report.js';
import { type MeasuredImage, shownThreshold } from './measure.js';

const maxMistakes = 30;
const rightIou = 0.5;
const poorIou = 0.1;

/** Mistakes at the threshold of clients, the most confident first; missed boxes are ranked by their best score. */
export function worstMistakes(images: readonly MeasuredImage[], labels: readonly Label[]): Mistake[] {
  const titles = labels.map(({ title }) => title);
  return images
    .flatMap((image) => mistakesIn(image, titles))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, maxMistakes)
    .map(({ mistake }) => mistake);
}

interface Weighed {
  readonly mistake: Mistake;
  readonly weight: number;
}

function mistakesIn({ id, truths, detections }: MeasuredImage, titles: readonly string[]): Weighed[] {
  const name = (index = -1) => titles[index] ?? '';
  const shown = detections.filter(({ score }) => score >= shownThreshold);
  const taken = new Set<number>();
  const wrong: Weighed[] = [];
  for (const { classIndex, score, box } of shown) {
    const near = truths
      .map((truth, index) => ({ ...truth, index, iou: boxIou(truth.box, box) }))
      .sort((a, b) => b.iou - a.iou);
    const right = near.find(
      (truth) => truth.classIndex === classIndex && truth.iou >= rightIou && !taken.has(truth.index),
    );
    if (right) {
      taken.add(right.index);
      continue;
    }
    const mistake = { image: id, label: name(classIndex), score, found: box };
    const poor = near.find((truth) => truth.classIndex === classIndex && truth.iou >= poorIou);
    const other = near.find((truth) => truth.classIndex !== classIndex && truth.iou >= rightIou);
    if (poor && poor.iou < rightIou)
      wrong.push({ mistake: { kind: 'poor-overlap', ...mistake, expected: poor.box }, weight: score - 0.2 });
    else if (other) {
      const expected = { expectedLabel: name(other.classIndex), expected: other.box };
      wrong.push({ mistake: { kind: 'wrong-class', ...mistake, ...expected }, weight: score });
    } else wrong.push({ mistake: { kind: 'false', ...mistake }, weight: score });
  }
  truths.forEach(({ classIndex, box }, index) => {
    if (taken.has(index)) return;
    const best = detections
      .filter((one) => one.classIndex === classIndex && boxIou(one.box, box) >= rightIou)
      .reduce((most, { score }) => Math.max(most, score), 0);
    wrong.push({
      mistake: { kind: 'missed', image: id, label: name(classIndex), expected: box },
      weight: 1 - best,
    });
  });
  return wrong;
}
