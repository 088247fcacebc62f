import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codeQuery, createCompactCode, maxTops } from './compact-code.js';
import { multipliesCodesExactly } from './face-rows.js';
import { vectorOf } from './fixtures/vectors.js';

const dimensions = 64;
const code = createCompactCode(dimensions);

const bitsOf = (vector: Float32Array) => [...new Uint32Array(Float32Array.from(vector).buffer)];

/** Numbers that are ordinary, those at the edges of a code, and those that have no exponent in common. */
const numbers = fc.oneof(
  fc.double({ min: -0.3, max: 0.3, noNaN: true }),
  fc
    .record({ at: fc.integer({ min: -130, max: 130 }), off: fc.constantFrom(-1e-8, 0, 1e-8) })
    .map(({ at, off }) => (at + 0.5) * code.step + off),
  fc.constantFrom(0, -0, 1e-45, -1e-45, 1e-38, 0.99, -0.99),
);

describe('a compact code', () => {
  test('gives every vector that it encodes back to the last bit', () => {
    let encodedVectors = 0;
    fc.assert(
      fc.property(fc.nat(1000), fc.array(numbers, { maxLength: 25 }), (seed, values) => {
        const vector = vectorOf(seed, dimensions);
        vector.set(values);
        const encoded = code.encode(vector);
        if (encoded === null) return;
        encodedVectors += 1;
        const decoded = new Float32Array(dimensions);
        code.decode(encoded, decoded);
        expect(bitsOf(decoded)).toEqual(bitsOf(vector));
      }),
      { numRuns: 300 },
    );
    expect(encodedVectors).toBeGreaterThan(50);
  });

  test('states how far its codes are from the vector', () => {
    const vector = vectorOf(3, dimensions);
    const encoded = code.encode(vector);
    if (encoded === null) throw new Error('an ordinary vector is encoded');
    const difference = vector.map((value, at) => value - (encoded.codes[at] ?? 0) * code.step);
    expect(encoded.errorLength).toBeCloseTo(Math.hypot(...difference), 6);
    expect(encoded.errorLength).toBeLessThan(0.02);
    expect(encoded.length).toBeCloseTo(1, 6);
  });

  test('refuses vectors with many numbers near 0, with one far above the others, or with NaN', () => {
    const zeros = vectorOf(1, dimensions).fill(0, 0, maxTops + 1);
    const single = new Float32Array(dimensions).fill(0.01);
    single[5] = 1.7;
    const invalid = vectorOf(1, dimensions).fill(Number.NaN, 0, maxTops + 1);
    const [negativeNaN, clamped] = [vectorOf(1, dimensions), vectorOf(1, dimensions)];
    new Uint32Array(negativeNaN.buffer)[7] = 0xffc00000;
    clamped[7] = 1.2 * 127 * code.step;
    for (const vector of [zeros, single, invalid, negativeNaN, clamped])
      expect(code.encode(vector)).toBeNull();
  });
});

test('a query of zeros, and one of any length, is coded', () => {
  expect(codeQuery(new Float32Array(dimensions))).toMatchObject({ codedLength: 0, errorLength: 0 });
  const long = vectorOf(1, dimensions).map((value) => value * 1000);
  const { codes, step, errorLength } = codeQuery(long);
  const difference = long.map((value, at) => value - (codes[at] ?? 0) * step);
  expect(errorLength).toBeCloseTo(Math.hypot(...difference), 2);
});

test('the library adds products of the largest codes without a limit', () => {
  for (const count of [256, 500, 512, 1024]) expect(multipliesCodesExactly(count)).toBe(true);
});
