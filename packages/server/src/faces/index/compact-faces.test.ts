import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCompactFaces } from './compact-faces.js';
import { chunkRows, type FaceRows } from './face-rows.js';
import { vectorOf as seededVector } from './fixtures/vectors.js';
import { createPlainFaces } from './plain-faces.js';

const dimensions = 64;
const vectorOf = (seed: number) => seededVector(seed, dimensions);

/** One of a few vectors, changed by so little that float products may or may not differ. */
function nearTie(centre: number, which: number, change: number): Float32Array {
  return vectorOf(centre).map((value, at) => (at === which ? value + change : value));
}

/** All by the float product of all, so that equal ones are not cut off in the library's order. */
function expectSame(compact: FaceRows, plain: FaceRows, query: Float32Array, count: number): void {
  const wanted = plain.size === 0 ? [] : plain.nearest(query, plain.size).slice(0, count);
  const found = compact.size === 0 ? [] : compact.nearest(query, Math.min(count, compact.size));
  expect(found).toEqual(wanted);
}

describe('compact faces', () => {
  test('find the same images with the same cosines as the float product: ties, near ties, duplicates', () => {
    const face = fc.record({
      isRemoval: fc.boolean(),
      image: fc.integer({ min: 1, max: 80 }),
      centre: fc.integer({ min: 1, max: 3 }),
      which: fc.nat(3),
      change: fc.constantFrom(0, 0, 3e-8, -3e-8, 1e-7, 1e-5, 1e-3, 3e-2),
    });
    const query = fc.record({
      centre: fc.integer({ min: 1, max: 4 }),
      scale: fc.constantFrom(1, 1, 0, -1, 0.01, 30),
    });
    fc.assert(
      fc.property(
        fc.array(face, { maxLength: 200 }),
        query,
        fc.integer({ min: 1, max: 90 }),
        (steps, asked, count) => {
          const [compact, plain] = [createCompactFaces(dimensions), createPlainFaces(dimensions)];
          for (const { isRemoval, image, centre, which, change } of steps) {
            const vector = nearTie(centre, which, change);
            if (isRemoval) for (const faces of [compact, plain]) faces.remove(image);
            else for (const faces of [compact, plain]) expect(faces.put(image, image % 7, vector)).toBe(true);
          }
          const own = vectorOf(asked.centre).map((value) => value * asked.scale);
          expect(compact.size).toBe(plain.size);
          expectSame(compact, plain, own, count);
          expect(compact.nearestOfPerson(own, 3)).toEqual(plain.nearestOfPerson(own, 3));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('find the nearest of several chunks where one has more of them than are looked at first', () => {
    const [compact, plain] = [createCompactFaces(dimensions), createPlainFaces(dimensions)];
    const count = 2 * chunkRows + 300;
    for (let image = 1; image <= count; image += 1) {
      const isNear = image > chunkRows && image <= chunkRows + 600;
      const vector = isNear ? nearTie(1, image % dimensions, (image % 9) * 3e-8) : vectorOf(image + 100);
      for (const faces of [compact, plain]) faces.put(image, image % 7, vector);
    }
    expectSame(compact, plain, vectorOf(1), 80);
    expectSame(compact, plain, vectorOf(1), 700);
    expectSame(compact, plain, vectorOf(50_000), 80);
    for (let image = 1; image <= count - 200; image += 1) {
      for (const faces of [compact, plain]) faces.remove(image);
    }
    expectSame(compact, plain, vectorOf(1), 80);
  });

  test('are moved chunk by chunk, each as it was', () => {
    const [compact, plain, same] = [
      createCompactFaces(dimensions),
      createPlainFaces(dimensions),
      createPlainFaces(dimensions),
    ];
    for (let image = 1; image <= 4 * chunkRows; image += 1) {
      for (const faces of [compact, same]) faces.put(image, image % 7, vectorOf(image));
    }
    const full = compact.bytes;
    let most = 0;
    compact.moveTo({
      ...plain,
      put: (...face) => {
        const isHeld = plain.put(...face);
        most = Math.max(most, compact.bytes + plain.bytes);
        return isHeld;
      },
    });
    // A chunk that is filled, and one that is emptied beside one that is kept empty.
    expect(most).toBeLessThan(full * 1.6);
    expect(compact.size).toBe(0);
    expect(plain.size).toBe(4 * chunkRows);
    expect(plain.nearest(vectorOf(5), 20)).toEqual(same.nearest(vectorOf(5), 20));
  });

  test('stay as they are when a vector cannot be held', () => {
    const faces = createCompactFaces(dimensions);
    faces.put(1, 1, vectorOf(1));
    expect(faces.put(1, 1, new Float32Array(dimensions).fill(1, 0, 1))).toBe(false);
    expect(faces.put(2, 1, new Float32Array(dimensions).fill(1, 0, 1))).toBe(false);
    expect(faces.size).toBe(1);
    expect(faces.nearest(vectorOf(1), 1)).toMatchObject([{ imageId: 1 }]);
  });
});
