import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Decimal, type WireValue, writeJson } from './json.js';

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const text = fc.string({ unit: 'binary' });
const wire = fc.letrec<{ value: WireValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    number,
    fc.integer(),
    text,
    number.map((value) => new Decimal(value)),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
})).value;

// What JSON.parse must give back: decimals as plain numbers, and minus zero as zero, which JSON.stringify says too.
function plain(value: WireValue | undefined): unknown {
  if (value instanceof Decimal) return value.value === 0 ? 0 : value.value;
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

describe('the serialiser of v1 and v2', () => {
  test('what is written reads back as the same value', () => {
    fc.assert(
      fc.property(wire, (value) => {
        expect(JSON.parse(writeJson(value))).toEqual(plain(value));
      }),
      { numRuns: 500 },
    );
  });

  test('only printable ASCII is written, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (units) => {
        const value = String.fromCharCode(...units);
        const out = writeJson(value);
        expect(out).toMatch(/^[\x20-\x7e]*$/);
        expect(JSON.parse(out)).toBe(value);
      }),
    );
    expect(writeJson('é😀\ud800')).toBe('"\\u00e9\\ud83d\\ude00\\ud800"');
  });

  test('a comma and a colon stand with one space after them, and those inside values stay as they are', () => {
    expect(writeJson({ status: 'a:b, c', list: [1, true, null], inner: { x: '","' } })).toBe(
      '{"status": "a:b, c", "list": [1, true, null], "inner": {"x": "\\",\\""}}',
    );
    expect(writeJson({ list: [], inner: {} })).toBe('{"list": [], "inner": {}}');
  });

  test('a decimal always has a point and never an exponent', () => {
    expect(
      [1, 0, 0.5, 1e-7, 1.5e-10, 1e21, 123456789e15, -2.5e-8].map((n) => writeJson(new Decimal(n))),
    ).toEqual([
      '1.0',
      '0.0',
      '0.5',
      '0.0000001',
      '0.00000000015',
      '1000000000000000000000.0',
      '123456789000000000000000.0',
      '-0.000000025',
    ]);
    fc.assert(
      fc.property(number, (value) => {
        expect(writeJson(new Decimal(value))).toMatch(/^-?\d+\.\d+$/);
      }),
    );
  });

  test('an undefined value leaves its key out, and keys keep the order in which they were put', () => {
    expect(writeJson({ b: 1, a: undefined, c: 2 })).toBe('{"b": 1, "c": 2}');
  });

  test('a number that JSON cannot hold is refused', () => {
    expect(() => writeJson({ score: new Decimal(Number.NaN) })).toThrow(TypeError);
  });
});
