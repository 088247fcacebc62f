import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ImportError } from '../import-error.js';
import { readModel, writeModel } from './codec.js';
import { AttributeType, type Model } from './model.js';

const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const bytes = fc.uint8Array({ minLength: 1, maxLength: 40 });
const name = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
/** Zero in the place of the smallest numbers, for which a process writes it once it has a session: without-denormals.ts. */
const float = fc.float({ noNaN: true }).map((number) => (Math.abs(number) < 2 ** -126 ? 0 : number));

const tensor = fc.record({
  name,
  dims: fc.array(int64, { minLength: 1, maxLength: 4 }),
  dataType: fc.integer({ min: 1, max: 16 }),
  rawData: bytes,
});
const attribute = fc.oneof(
  fc.record({ name, type: fc.constant(AttributeType.int), i: int64 }),
  fc.record({ name, type: fc.constant(AttributeType.ints), ints: fc.array(int64, { minLength: 1 }) }),
  fc.record({ name, type: fc.constant(AttributeType.float), f: float }),
  fc.record({ name, type: fc.constant(AttributeType.floats), floats: fc.array(float, { minLength: 1 }) }),
  fc.record({ name, type: fc.constant(AttributeType.string), s: bytes }),
  fc.record({ name, type: fc.constant(AttributeType.tensor), t: tensor }),
);
const names = fc.array(name, { minLength: 1, maxLength: 3 });
const node = fc.record({
  opType: name,
  name,
  input: names,
  output: names,
  attribute: fc.array(attribute, { minLength: 1, maxLength: 3 }),
});
const dimension = fc.oneof(fc.record({ dimValue: int64 }), fc.record({ dimParam: name }));
const valueInfo = fc.record({
  name,
  type: fc.record({
    tensorType: fc.record({
      elemType: fc.integer({ min: 1, max: 16 }),
      shape: fc.record({ dim: fc.array(dimension, { minLength: 1, maxLength: 4 }) }),
    }),
  }),
});
const model: fc.Arbitrary<Model> = fc.record({
  irVersion: int64,
  producerName: name,
  opsetImport: fc.array(fc.record({ domain: name, version: int64 }), { minLength: 1, maxLength: 2 }),
  graph: fc.record({
    name,
    node: fc.array(node, { minLength: 1, maxLength: 4 }),
    initializer: fc.array(tensor, { minLength: 1, maxLength: 3 }),
    input: fc.array(valueInfo, { minLength: 1, maxLength: 2 }),
    output: fc.array(valueInfo, { minLength: 1, maxLength: 2 }),
  }),
});

/** Buffers and plain byte arrays alike; zero and absent are the same in this format. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== 0n && part !== 0 && part !== '');
  return Object.fromEntries(entries.map(([key, part]) => [key, comparable(part)]));
}

test('a written model reads back the same, 64-bit numbers included', () => {
  fc.assert(
    fc.property(model, (written) => {
      expect(comparable(readModel(writeModel(written)))).toEqual(comparable(written));
    }),
    { numRuns: 200 },
  );
});

test('bytes that are no model are refused with an ImportError', () => {
  for (const bytes of [new Uint8Array(), Buffer.from('hello'), new Uint8Array(1000).fill(0xff)]) {
    expect(() => readModel(bytes)).toThrow(ImportError);
  }
});

test('a damaged model is read or refused, never anything else', () => {
  fc.assert(
    fc.property(model, fc.nat(), fc.nat(255), fc.nat(), (written, at, byte, end) => {
      const bytes = writeModel(written);
      bytes[at % bytes.length] = byte;
      try {
        readModel(bytes.subarray(0, end % (bytes.length + 1)));
      } catch (error) {
        expect(error).toBeInstanceOf(ImportError);
      }
    }),
    { numRuns: 500 },
  );
});
