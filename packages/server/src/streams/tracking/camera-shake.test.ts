import { expect, test } from 'vitest';
import { cameraOffset, type Landmark } from './camera-shake.js';
import { cocoClassGroups, similarWithin } from './class-groups.js';
import { seenObjects } from './detections.js';
import { boxAt, detectionAt } from './fixtures/boxes.js';

const areSimilar = similarWithin(cocoClassGroups);
const frame = { width: 1280, height: 720, elapsedMs: 200, areSimilar };
const still = { x: 0, y: 0 };
const places = [100, 190, 280, 370, 460, 900];
const landmarks: Landmark[] = places.map((x) => ({ title: 'car', box: boxAt(x, 300, 80, 40) }));
const seenAt = (xs: readonly number[], dx: number, dy: number) =>
  seenObjects(
    xs.map((x) => detectionAt('car', x + dx, 300 + dy, { width: 80, height: 40 })),
    areSimilar,
    100,
  );

test('what moves all landmarks is the camera, in a row of equal cars too', () => {
  expect(cameraOffset(still, landmarks, seenAt(places, 48, -20), frame)).toEqual({ x: 48, y: -20 });
  // Two are missed, and one more has come.
  const some = cameraOffset(still, landmarks, seenAt([100, 280, 370, 900, 640], -40, 10), frame);
  expect(some).toEqual({ x: -40, y: 10 });
});

test('two objects that move together are not the camera', () => {
  const two = landmarks.slice(0, 2);
  expect(cameraOffset(still, two, seenAt(places.slice(0, 2), 30, 0), frame)).toEqual(still);
});

test('one that drives off from many does not move the camera', () => {
  const seen = [...seenAt(places.slice(1), 0, 0), ...seenAt([100], 30, 10)];
  expect(cameraOffset(still, landmarks, seen, frame)).toEqual(still);
});

test('the offset fades where nothing is known, and is never large', () => {
  const faded = cameraOffset({ x: 40, y: 0 }, [], [], { ...frame, elapsedMs: 2000 });
  expect(faded.x).toBeGreaterThan(10);
  expect(faded.x).toBeLessThan(20);
  expect(cameraOffset(still, landmarks, seenAt(places, 300, 0), frame).x).toBeLessThan(90);
});

test('fifty landmarks and fifty objects take little time', () => {
  const many = Array.from({ length: 50 }, (_, index) => 30 + 24 * index);
  const dense = many.map((x) => ({ title: 'car', box: boxAt(x, 300, 80, 40) }));
  const seen = seenAt(many, 7, 3);
  const times = Array.from({ length: 7 }, () => {
    const startMs = performance.now();
    cameraOffset(still, dense, seen, frame);
    return performance.now() - startMs;
  });
  expect(Math.min(...times)).toBeLessThan(10);
});
