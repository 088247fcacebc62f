import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxAt } from './fixtures/boxes.js';
import { type Stillness, startStillness, stepStillness } from './stationary.js';

const options = { stationaryAfterMs: 5000, movingAfterMs: 1000 };
const at = (x: number, width = 80) => boxAt(x, 200, width, 40);

function watch(
  boxes: readonly { readonly x: number; readonly width?: number }[],
  stepMs = 200,
  from?: Stillness,
) {
  return boxes.reduce(
    (stillness, { x, width }) => stepStillness(stillness, { box: at(x, width), elapsedMs: stepMs }, options),
    from ?? startStillness(at(boxes[0]?.x ?? 0)),
  );
}
const staying = (count: number, x = 100) => Array.from({ length: count }, () => ({ x }));
const parked = watch(staying(40));

test('an object is stationary after it stayed for the time that is set, at any frame rate', () => {
  expect(watch(staying(24)).isStationary).toBe(false);
  expect(watch(staying(26)).isStationary).toBe(true);
  expect(watch(staying(4), 1000).isStationary).toBe(false);
  expect(watch(staying(6), 1000).isStationary).toBe(true);
});

test('an object that creeps is not stationary', () => {
  const creeping = Array.from({ length: 200 }, (_, index) => ({ x: 100 + 3 * index }));
  expect(watch(creeping).isStationary).toBe(false);
});

test('the jitter of a detector is no movement', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ x: fc.integer({ min: 92, max: 108 }), width: fc.integer({ min: 70, max: 90 }) }), {
        minLength: 60,
        maxLength: 200,
      }),
      (boxes) => {
        expect(watch(boxes).isStationary).toBe(true);
      },
    ),
  );
});

test('one look elsewhere is no movement, even a second before the next one', () => {
  expect(watch([{ x: 300 }, ...staying(1)], 200, parked).isStationary).toBe(true);
  expect(watch([{ x: 300 }], 5000, parked).isStationary).toBe(true);
});

test('a stationary object of which half is hidden for a while stays so', () => {
  const hidden = Array.from({ length: 30 }, () => ({ x: 120, width: 40 }));
  expect(watch([...hidden, ...staying(1)], 200, parked).isStationary).toBe(true);
});

test('an object that has driven off for the time that is set moves again', () => {
  const leaving = Array.from({ length: 7 }, (_, index) => ({ x: 180 + 40 * index }));
  expect(watch(leaving.slice(0, 4), 200, parked).isStationary).toBe(true);
  expect(watch(leaving, 200, parked).isStationary).toBe(false);
});
