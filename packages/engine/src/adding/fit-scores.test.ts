import { expect, test } from 'vitest';
import { atTemperature } from '../tasks/classify/temperature.js';
import { seededRandom } from '../training/seeded-random.js';
import { fitDetectorScores, type LabelledDetections } from './fit-detector-scores.js';
import { fitTemperature, type LabelledProbabilities } from './fit-temperature.js';
import { halvesOf } from './halves.js';

/** A detector that is far too timid: of its boxes with a score s, a share of 3 s is right. */
function timidDetections(count: number): LabelledDetections[] {
  const random = seededRandom(1);
  return Array.from({ length: count }, (_, index) => {
    const detections = [0, 1, 2, 3].map((place) => ({
      classIndex: 0,
      score: random() ** 2 / 3,
      box: { xMin: 20 * place, yMin: 0, xMax: 20 * place + 10, yMax: 10 },
    }));
    return {
      name: `${index}.jpg`,
      truths: detections.filter(({ score }) => random() < 3 * score),
      detections,
    };
  });
}

/** Right with the probability that it would have at the temperature `own`. */
function confidentAnswers(count: number, own: number): LabelledProbabilities[] {
  const random = seededRandom(2);
  return Array.from({ length: count }, (_, index) => {
    const raw = Array.from({ length: 5 }, () => random() ** 4 + 1e-3);
    const sum = raw.reduce((total, each) => total + each, 0);
    const honest = raw.map((each) => each / sum);
    const draw = random();
    const truth = honest.findIndex(
      (_share, at) => honest.slice(0, at + 1).reduce((total, each) => total + each, 0) > draw,
    );
    return {
      name: `${index}.jpg`,
      probabilities: [...atTemperature(honest, 1 / own)],
      truth: Math.max(0, truth),
    };
  });
}

test('halves are of equal size, share nothing, and do not depend on the order', () => {
  const images = Array.from({ length: 101 }, (_, index) => ({ name: `${index}` }));
  const { fitted, measured } = halvesOf(images);
  expect([fitted.length, measured.length]).toEqual([51, 50]);
  expect(new Set([...fitted, ...measured].map(({ name }) => name)).size).toBe(101);
  expect(halvesOf([...images].reverse())).toEqual({ fitted, measured });
});

test('the curve of a detector rises from 0 to 1 and makes timid scores honest', () => {
  const { calibration, measured } = fitDetectorScores(timidDetections(1000), 1);
  const { points } = calibration;
  expect([points[0], points.at(-1)]).toEqual([
    [0, 0],
    [1, 1],
  ]);
  for (const [index, [own, shown]] of points.entries()) {
    const [beforeOwn = -1, beforeShown = -1] = points[index - 1] ?? [];
    expect(own > beforeOwn && shown > beforeShown).toBe(true);
  }
  const error = measured.find(({ figure }) => figure.startsWith('expected calibration error'))?.value ?? '';
  const [after = 1, before = 0] = error.match(/[\d.]+/g)?.map(Number) ?? [];
  expect(after).toBeLessThan(before / 2);
  expect(measured[1]?.how).toContain('500 of 1000 images');
  expect(measured[1]?.value).toMatch(/^0\.\d\d \(95 % interval 0\.\d\d to [01]\.\d\d\), before calibration/);
});

test('a detector that finds none of the boxes is refused', () => {
  const lost = timidDetections(40).map((image) => ({ ...image, detections: [] }));
  expect(() => fitDetectorScores(lost, 1)).toThrow(/finds none of the labelled boxes/);
});

test('the temperature of a classifier that is too sure is found', () => {
  const { temperature, measured } = fitTemperature(confidentAnswers(3000, 2));
  expect(temperature).toBeGreaterThan(1.8);
  expect(temperature).toBeLessThan(2.2);
  const [after = 1, before = 0] = measured[1]?.value.match(/[\d.]+/g)?.map(Number) ?? [];
  expect(after).toBeLessThan(0.05);
  expect(before).toBeGreaterThan(0.1);
});

test('a temperature keeps the order and the sum of probabilities, and 1 changes nothing', () => {
  const warm = atTemperature([0.7, 0.2, 0.1, 0], 3);
  expect([...warm].sort((a, b) => b - a)).toEqual([...warm]);
  expect(warm.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1, 9);
  expect([...atTemperature([0.7, 0.3], 1)]).toEqual([expect.closeTo(0.7, 9), expect.closeTo(0.3, 9)]);
});

test('classifiers of labels that do not exclude each other are refused, and those that are nearly always wrong', () => {
  const answers = confidentAnswers(40, 1);
  const open = answers.map((each) => ({ ...each, probabilities: [0.9, 0.8, 0.1, 0, 0] }));
  expect(() => fitTemperature(open)).toThrow(/do not sum to 1/);
  const wrong = answers.map((each) => ({ ...each, probabilities: [1, 0, 0, 0, 0], truth: 1 }));
  expect(() => fitTemperature(wrong)).toThrow(/right in 0 of 40 images: its input/);
});
