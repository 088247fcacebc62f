import { describe, expect, test } from 'vitest';
import { withExactProducts } from '../../onnx/int8/exact-products.js';
import { multiply, referenceCpu } from '../../onnx/int8/fixtures/reference-cpu.js';
import { probeGraph } from '../../onnx/int8/probe-graph.js';
import { writeModel } from '../../onnx/proto/codec.js';
import { chooseInt8Arithmetic, type RunProbe } from './int8-arithmetic.js';
import { probeFiles } from './probe-files.js';
import { probeInt8Arithmetic } from './probe-int8.js';

describe('on a simulated CPU', () => {
  test('with VNNI int8 graphs are run as they are', async () => {
    expect(await chooseInt8Arithmetic(referenceCpu('exact'))).toBe('native');
  });

  test('with AVX2 or AVX512 alone the weights become unsigned', async () => {
    expect(await chooseInt8Arithmetic(referenceCpu('saturating'))).toBe('unsigned-weights');
  });

  test('that is wrong in both ways the result says so', async () => {
    expect(await chooseInt8Arithmetic(referenceCpu('broken'))).toBe('inexact');
  });

  test.each(['product', 'convolved'])(
    'one of the two kernels that saturates is enough: %s',
    async (output) => {
      const [exact, saturating] = [referenceCpu('exact'), referenceCpu('saturating')];
      const mixed: RunProbe = async (...given) => ({
        ...(await exact(...given)),
        [output]: (await saturating(...given))[output] ?? [],
      });
      expect(await chooseInt8Arithmetic(mixed)).toBe('unsigned-weights');
    },
  );

  test('a missing output does not count as exact', async () => {
    expect(await chooseInt8Arithmetic(() => Promise.resolve({}))).toBe('inexact');
  });
});

test('the reference saturates pairs of uint8 by int8, and nothing else', () => {
  const row = (type: number, ...data: number[]) => ({ type, data });
  const [uint8, int8] = [2, 3];
  expect(multiply(row(uint8, 255, 255), 0, row(int8, 127, 127), 0, 'saturating')).toBe(32767);
  expect(multiply(row(uint8, 255, 255), 0, row(int8, 127, 127), 0, 'exact')).toBe(64770);
  expect(multiply(row(uint8, 255, 255), 0, row(uint8, 255, 255), 128, 'saturating')).toBe(64770);
  expect(multiply(row(uint8, 255, 255), 0, row(int8, 64, 64), 0, 'saturating')).toBe(32640);
});

test('the self-test of this CPU finds an exact way', async () => {
  expect(['native', 'unsigned-weights']).toContain(await probeInt8Arithmetic());
});

test('the probe in its exact form has no signed weights left', () => {
  const exact = withExactProducts(probeGraph().model);
  const types = exact?.graph.initializer?.map(({ dataType }) => dataType);
  expect(types).not.toContain(3);
  expect(exact && withExactProducts(exact)).toBeUndefined();
});

test('the shipped files of the probe are its two forms, as the writer writes them', () => {
  const { model } = probeGraph();
  const exact = withExactProducts(model) ?? model;
  const base64 = (file: Uint8Array) => Buffer.from(file).toString('base64');
  expect(base64(probeFiles.signed)).toBe(base64(writeModel(model)));
  expect(base64(probeFiles.exact)).toBe(base64(writeModel(exact)));
});
