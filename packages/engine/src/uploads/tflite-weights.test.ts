import { expect, test } from 'vitest';
import { type TinyTensor, writeTflite } from '../onnx/import/tflite/fixtures/tiny-tflite.js';
import { probabilitiesFor, readHere } from './fixtures/read-here.js';
import { writeZip } from './fixtures/write-zip.js';

const [float32, float16, int32, uint8, int8] = [0, 1, 2, 3, 9];
const [add, conv, dequantize, dense, softmax, cast, mean] = [0, 3, 6, 9, 25, 53, 40];
const labels = ['red', 'blue'];
const side = 8;

/** 0, 1 and 2 in half floats. */
const halves = (...numbers: (0 | 1 | 2)[]) =>
  new Uint8Array(Uint16Array.from(numbers, (number) => [0, 0x3c00, 0x4000][number] ?? 0).buffer);
const axes = { name: 'axes', dims: [2], type: int32, data: new Uint8Array(Int32Array.of(1, 2).buffer) };
const image: TinyTensor = { name: 'x', dims: [1, side, side, 3], type: float32 };

/** exp(a) / (exp(a) + exp(b)) */
const share = (a: number, b: number) => 1 / (1 + Math.exp(b - a));

test('weights in half floats behind a DEQUANTIZE are those of a convolution, a bias and a matrix', async () => {
  const model = writeTflite({
    tensors: [
      image,
      { name: 'half_kernel', dims: [2, 1, 1, 3], type: float16, data: halves(1, 0, 0, 0, 0, 1) },
      { name: 'kernel', dims: [2, 1, 1, 3], type: float32 },
      { name: 'half_bias', dims: [2], type: float16, data: halves(1, 1) },
      { name: 'bias', dims: [2], type: float32 },
      { name: 'map', dims: [1, side, side, 2], type: float32 },
      axes,
      { name: 'mean', dims: [1, 2], type: float32 },
      { name: 'half_matrix', dims: [2, 2], type: float16, data: halves(2, 0, 0, 2) },
      { name: 'matrix', dims: [2, 2], type: float32 },
      { name: 'dense', dims: [1, 2], type: float32 },
      { name: 'half_shift', dims: [1, 2], type: float16, data: halves(1, 0) },
      { name: 'shift', dims: [1, 2], type: float32 },
      { name: 'sum', dims: [1, 2], type: float32 },
      { name: 'y', dims: [1, 2], type: float32 },
    ],
    operators: [
      ...[1, 3, 8, 11].map((index) => ({ code: dequantize, inputs: [index], outputs: [index + 1] })),
      { code: conv, inputs: [0, 2, 4], outputs: [5], options: [{ byte: 1 }, 1, 1] },
      { code: mean, inputs: [5, 6], outputs: [7] },
      { code: dense, inputs: [7, 9], outputs: [10] },
      { code: add, inputs: [10, 12], outputs: [13] },
      { code: softmax, inputs: [13], outputs: [14] },
    ],
    inputs: [0],
    outputs: [14],
  });
  const read = await readHere({ 'model_float16.tflite': model }, { labels });
  // Red is fed as 1 and -1: 2 x (1 + 1) + 1 and 2 x (-1 + 1).
  expect((await probabilitiesFor(read, [255, 0, 0]))['red']).toBeCloseTo(share(5, 0), 5);
  expect((await probabilitiesFor(read, [0, 0, 255]))['blue']).toBeCloseTo(share(4, 1), 5);
});

test('weights in 8 bits behind a DEQUANTIZE too, and bytes that the graph casts itself', async () => {
  const model = writeTflite({
    tensors: [
      { ...image, type: uint8 },
      { name: 'floats', dims: image.dims, type: float32 },
      axes,
      { name: 'mean', dims: [1, 3], type: float32 },
      {
        name: 'small_matrix',
        dims: [2, 3],
        type: int8,
        data: new Uint8Array(Int8Array.of(1, 0, 0, 0, 0, 1).buffer),
        scales: [1 / 51],
        zeroPoints: [0],
      },
      { name: 'matrix', dims: [2, 3], type: float32 },
      { name: 'dense', dims: [1, 2], type: float32 },
      { name: 'y', dims: [1, 2], type: float32 },
    ],
    operators: [
      { code: cast, inputs: [0], outputs: [1] },
      { code: mean, inputs: [1, 2], outputs: [3] },
      { code: dequantize, inputs: [4], outputs: [5] },
      { code: dense, inputs: [3, 5], outputs: [6] },
      { code: softmax, inputs: [6], outputs: [7] },
    ],
    inputs: [0],
    outputs: [7],
  });
  const read = await readHere({ 'model.tflite': model }, { labels });
  expect((await probabilitiesFor(read, [255, 0, 0]))['red']).toBeCloseTo(share(5, 0), 4);
  expect((await probabilitiesFor(read, [0, 0, 255]))['blue']).toBeCloseTo(share(5, 0), 4);
});

test("Ultralytics' metadata in a TFLite file says task, classes and preprocessing", async () => {
  const model = writeTflite({
    tensors: [
      image,
      axes,
      { name: 'mean', dims: [1, 3], type: float32 },
      { name: 'y', dims: [1, 3], type: float32 },
    ],
    operators: [
      { code: mean, inputs: [0, 1], outputs: [2] },
      { code: softmax, inputs: [2], outputs: [3] },
    ],
    inputs: [0],
    outputs: [3],
  });
  const text =
    "{'description': 'Ultralytics YOLO11n-cls model', 'author': 'Ultralytics', 'stride': 1, 'task': 'classify', 'imgsz': [8, 8], 'names': {0: 'red', 1: 'green', 2: 'blue'}, 'args': {'nms': False}}";
  const packed = writeZip([{ name: 'temp_meta.txt', data: Buffer.from(text) }], model.length);
  const read = await readHere({ 'best_float32.tflite': Buffer.concat([model, packed]) });
  expect(read.recognition.plan).toMatchObject({
    labels: ['red', 'green', 'blue'],
    input: { fit: 'centre', scale: { mean: [0], std: [255] } },
  });
});
