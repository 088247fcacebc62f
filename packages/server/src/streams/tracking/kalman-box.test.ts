import { boxIou } from '@lynceus/engine';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxAt, isFiniteThroughout } from './fixtures/boxes.js';
import { boxOf, correct, positionStdPx, predict, shiftState, startState, velocityOf } from './kalman-box.js';

test('an object that moves evenly is predicted where it will be, whatever the time between frames', () => {
  let state = startState(boxAt(100, 300, 40, 100));
  let x = 100;
  for (const seconds of [0.2, 0.1, 0.5, 0.2, 0.9, 0.2, 0.3, 0.2]) {
    x += 60 * seconds;
    state = correct(predict(state, seconds), boxAt(x, 300, 40, 100));
  }
  expect(velocityOf(state).x).toBeGreaterThan(50);
  expect(velocityOf(state).x).toBeLessThan(66);
  expect(boxIou(boxOf(predict(state, 0.5)), boxAt(x + 30, 300, 40, 100))).toBeGreaterThan(0.75);
});

test('two steps of prediction are one of the time of both', () => {
  const state = correct(predict(startState(boxAt(0, 0, 40, 100)), 0.2), boxAt(20, 3, 40, 100));
  const [once, twice] = [predict(state, 1), predict(predict(state, 0.4), 0.6)];
  for (const axis of ['x', 'y', 'aspect', 'height'] as const) {
    for (const [name, value] of Object.entries(once[axis]))
      expect([name, twice[axis][name as keyof (typeof twice)['x']]]).toEqual([
        name,
        expect.closeTo(value, 6),
      ]);
  }
});

test('the place grows less certain with time and more certain with each look', () => {
  const box = boxAt(100, 300, 40, 100);
  const start = startState(box);
  const later = predict(start, 0.5);
  expect(positionStdPx(later)).toBeGreaterThan(positionStdPx(start));
  expect(positionStdPx(predict(start, 2))).toBeGreaterThan(positionStdPx(later));
  expect(positionStdPx(correct(later, box))).toBeLessThan(positionStdPx(later));
});

test('no time and time that runs backwards change nothing', () => {
  const state = startState(boxAt(100, 300, 40, 100));
  expect(predict(state, 0)).toBe(state);
  expect(predict(state, -3)).toBe(state);
  expect(predict(state, Number.NaN)).toBe(state);
});

test('a shift moves the box and nothing else', () => {
  const state = startState(boxAt(100, 300, 40, 100));
  expect(boxOf(shiftState(state, { x: 5, y: -7 }))).toEqual(boxAt(105, 293, 40, 100));
});

test('boxes of any size after any times give finite boxes whose sides are positive', () => {
  const side = fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 5000, noNaN: true }));
  const step = fc.record({
    seconds: fc.oneof(fc.constantFrom(0, -1, 1e6), fc.double({ min: 0, max: 10, noNaN: true })),
    x: fc.integer({ min: -3000, max: 3000 }),
    width: side,
    height: side,
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), (steps) => {
      let state = startState(boxAt(0, 0, 0, 0));
      for (const { seconds, x, width, height } of steps) {
        state = correct(predict(state, seconds), boxAt(x, 0, width, height));
        expect(isFiniteThroughout(state)).toBe(true);
        for (const { xMin, yMin, xMax, yMax } of [boxOf(state), boxOf(predict(state, 5))]) {
          expect(xMax).toBeGreaterThan(xMin);
          expect(yMax).toBeGreaterThan(yMin);
        }
        expect(state.x.valueVariance).toBeGreaterThanOrEqual(0);
        expect(state.x.speedVariance).toBeGreaterThanOrEqual(0);
      }
    }),
  );
});
