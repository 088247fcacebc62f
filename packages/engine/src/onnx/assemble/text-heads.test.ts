import { expect, test } from 'vitest';
import { floats } from '../fixtures/run-graph.js';
import { runHead } from './fixtures/run-head.js';

test('a map of text keeps its size and loses its channel', async () => {
  const data = Float32Array.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6);
  const { map } = await runHead({ head: 'text-map' }, [{ dims: [1, 1, 2, 3], data }]);
  expect(map?.dims).toEqual([1, 2, 3]);
  expect(floats(map)).toEqual([...data]);
});

test('of every step of a strip the best character is given, with its probability', async () => {
  const data = Float32Array.of(0.7, 0.2, 0.1, 0.1, 0.3, 0.6, 0.2, 0.5, 0.3, 0.9, 0.1, 0);
  const all = { allowed: { dims: [3], data: Float32Array.of(1, 1, 1) } };
  const outputs = await runHead({ head: 'ctc' }, [{ dims: [2, 2, 3], data }], undefined, all);
  expect(outputs['characters']?.dims).toEqual([2, 2]);
  expect(outputs['characters']?.data).toEqual(BigInt64Array.of(0n, 2n, 1n, 0n));
  expect(floats(outputs['scores'])).toEqual([0.7, 0.6, 0.5, 0.9].map(Math.fround));
  expect(outputs['spaces']).toBeUndefined();
  const withSpace = await runHead({ head: 'ctc', space: 2 }, [{ dims: [2, 2, 3], data }], undefined, all);
  expect(floats(withSpace['spaces'])).toEqual([2, 5, 8, 11].map((at) => data[at]));
  const some = { allowed: { dims: [3], data: Float32Array.of(1, 1, 0) } };
  const withoutOne = await runHead({ head: 'ctc' }, [{ dims: [2, 2, 3], data }], undefined, some);
  expect(withoutOne['characters']?.data).toEqual(BigInt64Array.of(0n, 1n, 1n, 0n));
  expect(floats(withoutOne['scores'])).toEqual([0.7, 0.3, 0.5, 0.9].map(Math.fround));
});

test('log odds of the steps are handed on beside the characters', async () => {
  const data = Float32Array.of(0.7, 0.3, 0.4, 0.6);
  const odds = { dims: [1, 2], data: Float32Array.of(-3, 5) };
  const allowed = { dims: [2], data: Float32Array.of(1, 1) };
  const outputs = await runHead({ head: 'ctc' }, [{ dims: [1, 2, 2], data }, odds], undefined, { allowed });
  expect(outputs['characters']?.data).toEqual(BigInt64Array.of(0n, 1n));
  expect(floats(outputs['readable'])).toEqual([-3, 5]);
});

test('one class of a few is given by name, from probabilities and from logits', async () => {
  const rows = { dims: [2, 2], data: Float32Array.of(0.75, 0.25, 0, 1) };
  const angle = { head: 'probability', column: 1, output: 'upside_down', softmax: false } as const;
  expect(floats((await runHead(angle, [rows]))['upside_down'])).toEqual([0.25, 1]);
  const logits = { dims: [1, 3], data: Float32Array.of(2, 1, 0) };
  const live = { head: 'probability', column: 0, output: 'live', softmax: true } as const;
  const expected = Math.exp(2) / (Math.exp(2) + Math.exp(1) + 1);
  expect(floats((await runHead(live, [logits]))['live'])[0]).toBeCloseTo(expected, 6);
});
