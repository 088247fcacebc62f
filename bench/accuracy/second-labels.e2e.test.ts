import { expect, test } from 'vitest';
import { countSecondLabels } from './second-labels.js';

const [dog, cat, person, horse] = [0, 1, 2, 3];
const at = (classIndex: number, score: number, xMin: number) => ({
  classIndex,
  score,
  box: { xMin, yMin: 0, xMax: xMin + 100, yMax: 100 },
});
const truth = (classIndex: number, xMin: number) => ({ classIndex, box: at(classIndex, 1, xMin).box });

test('a box on one of another class counts, unless both are right', () => {
  const both = { detections: [at(cat, 0.5, 5), at(dog, 0.9, 0)], truths: [truth(dog, 0)] };
  const rider = {
    detections: [at(person, 0.9, 0), at(horse, 0.8, 10)],
    truths: [truth(person, 0), truth(horse, 10)],
  };
  const apart = { detections: [at(dog, 0.9, 0), at(cat, 0.5, 60), at(dog, 0.4, 2)], truths: [] };
  expect(countSecondLabels([both], 0.75)).toBe(1);
  expect(countSecondLabels([both], 0.95)).toBe(0);
  expect(countSecondLabels([rider], 0.75)).toBe(0);
  expect(countSecondLabels([apart], 0.75)).toBe(0);
});
