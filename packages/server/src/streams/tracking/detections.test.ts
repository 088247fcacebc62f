import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cocoClassGroups, similarWithin } from './class-groups.js';
import { seenObjects } from './detections.js';
import { anyDetection, detectionAt, isFiniteThroughout } from './fixtures/boxes.js';

const areSimilar = similarWithin(cocoClassGroups);

test('a lorry that is found as a car too is one object with two looks', () => {
  const objects = seenObjects(
    [detectionAt('car', 101, 100, { score: 0.5 }), detectionAt('truck', 100, 100, { score: 0.7 })],
    areSimilar,
    100,
  );
  expect(objects).toHaveLength(1);
  expect(objects[0]?.label.title).toBe('truck');
  expect(objects[0]?.looks.map(({ label }) => label.title)).toEqual(['truck', 'car']);
});

test('a rider and the bicycle are two objects, and so are two people', () => {
  const two = (a: string, b: string) =>
    seenObjects([detectionAt(a, 100, 100), detectionAt(b, 104, 100)], areSimilar, 100);
  expect(two('person', 'bicycle')).toHaveLength(2);
  expect(two('person', 'person')).toHaveLength(2);
});

test('classes that no group names are similar to each other and to no other', () => {
  expect(areSimilar('raccoon', 'fox')).toBe(true);
  expect(areSimilar('raccoon', 'cat')).toBe(false);
  expect(areSimilar('cat', 'dog')).toBe(true);
});

test('no class of COCO is in two groups', () => {
  const titles = cocoClassGroups.flat();
  expect(new Set(titles).size).toBe(titles.length);
  expect(titles).toHaveLength(80);
});

test('what is left can be tracked: finite, with a size, the best first, no more than asked for', () => {
  fc.assert(
    fc.property(fc.array(anyDetection, { maxLength: 60 }), fc.integer({ min: 0, max: 20 }), (all, most) => {
      const objects = seenObjects(all, areSimilar, most);
      expect(objects.length).toBeLessThanOrEqual(most);
      expect(isFiniteThroughout(objects)).toBe(true);
      for (const [index, { box, score }] of objects.entries()) {
        expect(box.xMax > box.xMin && box.yMax > box.yMin && score > 0).toBe(true);
        expect(score).toBeLessThanOrEqual(objects[index - 1]?.score ?? 2);
      }
    }),
  );
});
