import { describe, expect, test } from 'vitest';
import { wireMessages } from '../onnx/proto/descriptor.js';
import { tinyNet } from './fixtures/tiny-nets.js';
import { scanOnnx } from './scan-onnx.js';

const whole = tinyNet({ outputs: [{ name: 'y', dims: [1, 2], numbers: [0.2, 0.8] }] });

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
const field = (number: number, wire: number, content: readonly number[]) => [
  ...varint(number * 8 + wire),
  ...(wire === 2 ? varint(content.length) : []),
  ...content,
];
const text = (value: string) => [...Buffer.from(value)];

/** A tensor whose numbers are in another file, declared in each of the two ways. */
const external = {
  'by its location': field(14, 0, [1]),
  'by its entries': field(13, 2, [...field(1, 2, text('location')), ...field(2, 2, text('/etc/passwd'))]),
};

/** Every way from the model to a message of a type, as numbers of fields; no message twice in one. */
function waysTo(wanted: string, from = 'ModelProto', seen: readonly string[] = []): number[][] {
  const ways: number[][] = [];
  for (const [number, { type }] of wireMessages.get(from)?.fields ?? []) {
    if (type === wanted) ways.push([number]);
    if (!wireMessages.has(type) || seen.includes(type) || type === from || type === wanted) continue;
    for (const way of waysTo(wanted, type, [...seen, from])) ways.push([number, ...way]);
  }
  return ways;
}

/** A good model with one further field, so deep within it. */
function withField(way: readonly number[], content: readonly number[]): Uint8Array {
  const inner = way.reduceRight<readonly number[]>((bytes, number) => field(number, 2, bytes), content);
  return Uint8Array.from([...whole, ...inner]);
}

function refusalOf(bytes: Uint8Array): string | null {
  try {
    scanOnnx(bytes);
    return null;
  } catch (error) {
    return String(error);
  }
}

const tensors = waysTo('TensorProto');

test('tensors occur not only in graphs and nodes', () => {
  const ways = tensors.map((way) => way.join('.'));
  expect(ways).toEqual(
    expect.arrayContaining(['7.5', '7.1.5.5', '7.1.5.10', '25.7.5.5', '25.11.5', '25.11.10', '20.1.5']),
  );
  expect(ways.length).toBeGreaterThan(15);
});

describe.each(Object.entries(external))('weights in another file, said %s,', (_, tensor) => {
  test.each(tensors.map((way) => [way.join('.'), way] as const))('are refused at %s', (_name, way) => {
    expect(() => scanOnnx(withField(way, tensor))).toThrow(/in another file|sparse weights/);
  });
});

test('a good model passes, and so does a tensor with its own numbers anywhere', () => {
  expect(() => scanOnnx(whole)).not.toThrow();
  const dense = field(2, 0, [1]);
  const outcomes = tensors.map((way) => refusalOf(withField(way, dense)));
  expect(outcomes.filter((outcome) => outcome === null).length).toBeGreaterThan(8);
  for (const outcome of outcomes) if (outcome !== null) expect(outcome).toContain('sparse weights');
});

test('a field that ONNX does not have is refused, in every message', () => {
  for (const name of wireMessages.keys()) {
    const ways = name === 'ModelProto' ? [[]] : waysTo(name);
    const refusals = ways.map((way) => refusalOf(withField(way, field(999, 0, [1]))));
    // Sparse weights are refused before they are scanned.
    const expected = name === 'SparseTensorProto' ? 'sparse weights' : `${name} has a field 999`;
    expect(refusals, name).toContainEqual(expect.stringContaining(expected));
    expect(refusals).not.toContain(null);
  }
});

test('a field in a form that is not its own is damaged', () => {
  expect(() => scanOnnx(withField([7, 5], field(13, 0, [1])))).toThrow(/cut short/);
  expect(() => scanOnnx(withField([7], field(3, 3, [])))).toThrow(/cut short/);
});

test('types within types end in a refusal and not in the stack', () => {
  const deep = Array.from({ length: 5000 }).reduce<number[]>(
    (inner) => field(4, 2, field(1, 2, inner)),
    field(6, 2, text('x')),
  );
  expect(() => scanOnnx(withField([7, 11, 2], deep))).toThrow(/nested/);
});
