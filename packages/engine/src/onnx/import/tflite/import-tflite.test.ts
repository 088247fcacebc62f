import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { floats, runGraph } from '../../fixtures/run-graph.js';
import { GraphBuilder } from '../../graph/graph-builder.js';
import { asDims } from '../../graph/storage.js';
import { elementCount } from '../../graph/value.js';
import { ImportError } from '../../import-error.js';
import { type TinyTensor, type TinyTflite, writeTflite } from './fixtures/tiny-tflite.js';
import { importTflite, type TfliteWeights, tensorAt } from './import-tflite.js';
import { activationScale, dequantise } from './quantise.js';
import { readTfliteModel } from './tflite-model.js';

const [float32, int32, uint8] = [0, 2, 3];

/** An 8-bit activation tensor. */
function flowing(name: string, dims: readonly number[], scale: number, zeroPoint: number): TinyTensor {
  return { name, dims, type: uint8, scales: [scale], zeroPoints: [zeroPoint] };
}

/** Bytes that repeat from run to run. */
function bytesOf(seed: number, count: number): Uint8Array {
  let state = (seed >>> 0) + 1;
  return Uint8Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}

async function run(tiny: TinyTflite, weights: TfliteWeights, input: Uint8Array): Promise<number[]> {
  const model = readTfliteModel(writeTflite(tiny));
  const [inTensor, outTensor] = [tensorAt(model, model.inputs[0]), tensorAt(model, model.outputs[0])];
  const builder = new GraphBuilder();
  const scale = activationScale(inTensor);
  if (scale === undefined) throw new Error('the input is to be quantised');
  const fed = dequantise(builder, builder.input('x', 'uint8', inTensor.dims), scale);
  const y = importTflite(builder, model, weights, fed).get(model.outputs[0] ?? -1);
  if (y === undefined) throw new Error('no output');
  builder.output('y', asDims(builder, y), outTensor.dims);
  const result = await runGraph(builder, { x: { dims: inTensor.dims, data: input } });
  return floats(result['y']);
}

interface ConvCase {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly out: number;
  readonly kernel: number;
  readonly stride: number;
  readonly same: boolean;
  readonly depthwise: boolean;
  readonly seed: number;
}

const output = { scale: 0.8, zeroPoint: 30 };
const input = { scale: 0.02, zeroPoint: 100 };
const weight = { scale: 0.05, zeroPoint: 131 };

function convolutionModel(each: ConvCase): {
  tiny: TinyTflite;
  size: [number, number];
  kernels: Uint8Array;
  biases: Int32Array;
} {
  const { height, width, channels, kernel, stride, same, depthwise, seed } = each;
  const out = depthwise ? channels : each.out;
  const sideOf = (side: number) =>
    same ? Math.ceil(side / stride) : Math.floor((side - kernel) / stride) + 1;
  const size: [number, number] = [sideOf(height), sideOf(width)];
  const dims = depthwise ? [1, kernel, kernel, out] : [out, kernel, kernel, channels];
  const kernels = bytesOf(seed, elementCount(dims));
  const biases = Int32Array.from(bytesOf(seed + 1, out), (byte) => (byte - 128) * 40);
  const strides = [{ byte: same ? 0 : 1 }, stride, stride];
  const tiny: TinyTflite = {
    tensors: [
      flowing('x', [1, height, width, channels], input.scale, input.zeroPoint),
      { name: 'w', dims, type: uint8, data: kernels, scales: [weight.scale], zeroPoints: [weight.zeroPoint] },
      {
        name: 'b',
        dims: [out],
        type: int32,
        data: new Uint8Array(biases.buffer),
        scales: [input.scale * weight.scale],
        zeroPoints: [0],
      },
      flowing('y', [1, ...size, out], output.scale, output.zeroPoint),
    ],
    operators: [
      {
        code: depthwise ? 4 : 3,
        inputs: [0, 1, 2],
        outputs: [3],
        options: depthwise ? [...strides, 1] : strides,
      },
    ],
    inputs: [0],
    outputs: [3],
  };
  return { tiny, size, kernels, biases };
}

/** The definition, in whole numbers: real values before they are rounded to the steps of the output. */
function convolveByDefinition(each: ConvCase, image: Uint8Array): number[] {
  const { height, width, channels, kernel, stride, same, depthwise } = each;
  const { size, kernels, biases } = convolutionModel(each);
  const out = depthwise ? channels : each.out;
  const before = (length: number, outLength: number) =>
    same ? Math.floor(Math.max(0, (outLength - 1) * stride + kernel - length) / 2) : 0;
  const [top, left] = [before(height, size[0]), before(width, size[1])];
  const results: number[] = [];
  for (let y = 0; y < size[0]; y++) {
    for (let x = 0; x < size[1]; x++) {
      for (let o = 0; o < out; o++) {
        let sum = biases[o] ?? 0;
        for (let ky = 0; ky < kernel; ky++) {
          for (let kx = 0; kx < kernel; kx++) {
            const [py, px] = [y * stride + ky - top, x * stride + kx - left];
            if (py < 0 || px < 0 || py >= height || px >= width) continue;
            for (let c = depthwise ? o : 0; c < (depthwise ? o + 1 : channels); c++) {
              const w = depthwise
                ? (ky * kernel + kx) * out + o
                : ((o * kernel + ky) * kernel + kx) * channels + c;
              const pixel = (image[(py * width + px) * channels + c] ?? 0) - input.zeroPoint;
              sum += pixel * ((kernels[w] ?? 0) - weight.zeroPoint);
            }
          }
        }
        results.push(sum * input.scale * weight.scale);
      }
    }
  }
  return results;
}

const lowest = (0 - output.zeroPoint) * output.scale;
const highest = (255 - output.zeroPoint) * output.scale;

describe('a quantised convolution', () => {
  const cases = fc.record({
    height: fc.integer({ min: 3, max: 8 }),
    width: fc.integer({ min: 3, max: 8 }),
    channels: fc.integer({ min: 1, max: 4 }),
    out: fc.integer({ min: 1, max: 5 }),
    kernel: fc.integer({ min: 1, max: 3 }),
    stride: fc.integer({ min: 1, max: 2 }),
    same: fc.boolean(),
    depthwise: fc.boolean(),
    seed: fc.nat(1000),
  });
  const check = (weights: TfliteWeights, tolerance: number) =>
    fc.assert(
      fc.asyncProperty(cases, async (each) => {
        const image = bytesOf(each.seed + 2, each.height * each.width * each.channels);
        const given = await run(convolutionModel(each).tiny, weights, image);
        const expected = convolveByDefinition(each, image).map((real) =>
          Math.min(Math.max(real, lowest), highest),
        );
        expect(given.length).toBe(expected.length);
        const errors = given.map((number, index) => Math.abs(number - (expected[index] ?? 0)));
        expect(Math.max(...errors)).toBeLessThanOrEqual(tolerance);
      }),
      { numRuns: 25 },
    );

  test('imported as float gives the numbers of the definition, limited to the range of its output', () =>
    check('float32', 1e-3));

  test('imported as int8 gives them to the nearest step', () => check('int8', output.scale * 0.501));
});

test('pools, joins, reshapes and sums as TFLite does', async () => {
  const dims = [1, 4, 4, 2];
  const tiny: TinyTflite = {
    tensors: [
      flowing('x', dims, 0.5, 10),
      flowing('max', [1, 2, 2, 2], 0.5, 10),
      flowing('mean', [1, 2, 2, 2], 0.5, 10),
      flowing('joined', [1, 2, 2, 4], 0.5, 10),
      flowing('flat', [1, 16], 0.5, 10),
      {
        name: 'w',
        dims: [2, 16],
        type: uint8,
        data: new Uint8Array(32).fill(3),
        scales: [1],
        zeroPoints: [2],
      },
      flowing('y', [1, 2], 20, 0),
    ],
    operators: [
      { code: 17, inputs: [0], outputs: [1], options: [{ byte: 1 }, 2, 2, 2, 2] },
      { code: 1, inputs: [0], outputs: [2], options: [{ byte: 1 }, 2, 2, 2, 2] },
      { code: 2, inputs: [1, 2], outputs: [3], options: [3] },
      { code: 22, inputs: [3], outputs: [4] },
      { code: 9, inputs: [4, 5, -1], outputs: [6] },
    ],
    inputs: [0],
    outputs: [6],
  };
  const image = Uint8Array.from({ length: 32 }, (_, index) => 10 + index);
  // Steps over 10: the greatest of each pair of blocks, and the means, which are whole numbers less 5 each; times 0.5.
  const blocks = [0, 1, 4, 5, 16, 17, 20, 21];
  const sum = blocks.reduce((total, first) => total + first + 10 + (first + 5), 0) * 0.5;
  for (const weights of ['int8', 'float32'] as const) {
    const numbers = await run(tiny, weights, image);
    for (const number of numbers)
      expect(Math.abs(number - sum)).toBeLessThanOrEqual(weights === 'int8' ? 10 : 1e-3);
  }
});

function oneOperator(code: number): TinyTflite {
  return {
    tensors: [flowing('x', [1, 4, 4, 2], 0.5, 10), flowing('some/node', [1, 4, 4, 2], 0.5, 10)],
    operators: [{ code, inputs: [0], outputs: [1] }],
    inputs: [0],
    outputs: [1],
  };
}

test('an operator that is missing is named with its node', async () => {
  await expect(run(oneOperator(67), 'int8', new Uint8Array(32))).rejects.toThrow(
    new ImportError('operator TRANSPOSE_CONV of node some/node: this operator is not supported'),
  );
  await expect(run(oneOperator(152), 'int8', new Uint8Array(32))).rejects.toThrow(
    /number 152 of node some\/node/,
  );
});

test('shapes that contradict the file are refused', async () => {
  const tiny = oneOperator(19);
  const lying = {
    ...tiny,
    tensors: [tiny.tensors[0], flowing('y', [1, 4, 4, 3], 0.5, 10)].filter((each) => each !== undefined),
  };
  await expect(run(lying, 'float32', new Uint8Array(32))).rejects.toThrow(ImportError);
  const giant = { ...tiny, tensors: [flowing('x', [2 ** 30, 2 ** 30, 4, 2], 0.5, 10)] };
  expect(() => readTfliteModel(writeTflite(giant))).toThrow(/below 2\^31/);
});

test('a float model is not read as a quantised one', async () => {
  const tiny = oneOperator(19);
  const [x] = tiny.tensors;
  if (x === undefined) throw new Error('no input');
  const mixed = { ...tiny, tensors: [x, { name: 'y', dims: x.dims, type: float32 }] };
  await expect(run(mixed, 'int8', new Uint8Array(32))).rejects.toThrow(/import it with weights "float32"/);
});

test('a file whose lists share their items billions of times is refused at once', () => {
  const scales = Array.from({ length: 60_000 }, () => 1);
  const x = { name: 'x', dims: [1], type: uint8, scales, zeroPoints: scales };
  const tensors = Array.from({ length: 40 }, () => x);
  const file = writeTflite({ tensors, operators: [], inputs: [0], outputs: [0] });
  expect(() => readTfliteModel(file)).toThrow(/more than 4000000 items/);
});

test('truncated and damaged files are read or refused, never anything else', () => {
  const whole = writeTflite(
    convolutionModel({
      height: 5,
      width: 5,
      channels: 3,
      out: 2,
      kernel: 3,
      stride: 1,
      same: true,
      depthwise: false,
      seed: 1,
    }).tiny,
  );
  const load = (bytes: Uint8Array) => {
    try {
      const model = readTfliteModel(bytes);
      const builder = new GraphBuilder();
      const { dims } = tensorAt(model, model.inputs[0]);
      importTflite(builder, model, 'int8', builder.input('x', 'float32', dims));
    } catch (error) {
      expect(error).toBeInstanceOf(ImportError);
    }
  };
  for (let end = 0; end < whole.length; end++) load(whole.subarray(0, end));
  const mutations = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(mutations, (changes) => {
      const bytes = Uint8Array.from(whole);
      for (const [at, byte] of changes) bytes[at] = byte;
      load(bytes);
    }),
    { numRuns: 3000 },
  );
});
