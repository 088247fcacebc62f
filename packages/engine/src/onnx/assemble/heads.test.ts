import { expect, test } from 'vitest';
import { floats, type RunTensor } from '../fixtures/run-graph.js';
import { ImportError } from '../import-error.js';
import type { HeadSpec } from '../recipe.js';
import { type HeadInput, runHead } from './fixtures/run-head.js';

interface Detection {
  readonly classIndex: number;
  readonly score: number;
  readonly box: readonly number[];
}

function detectionsIn(outputs: Readonly<Record<string, RunTensor>>): Detection[] {
  const boxes = floats(outputs['boxes']);
  const classes = outputs['classes']?.data;
  if (!(classes instanceof BigInt64Array)) throw new Error('classes are not int64');
  expect(outputs['boxes']?.dims).toEqual([classes.length, 4]);
  return floats(outputs['scores']).map((score, index) => ({
    classIndex: Number(classes[index]),
    score: Number(score.toFixed(4)),
    box: boxes.slice(4 * index, 4 * index + 4).map((side) => Number(side.toFixed(4))),
  }));
}

const ssd: HeadSpec<'ssd'> = { head: 'ssd', scores: 's', boxes: 'b', classIds: [0, 2], maxPerClass: 2 };
const ssdBoxes = {
  dims: [1, 4, 1, 4],
  // yMin, xMin, yMax, xMax
  data: Float32Array.of(0.1, 0.2, 0.5, 0.6, 0.1, 0.2, 0.5, 0.61, 0.5, 0.5, 0.9, 0.8, -0.1, -0.2, 0.3, 1.5),
};
const ssdScores = {
  dims: [1, 4, 3],
  data: Float32Array.of(0.9, 0.99, 0.1, 0.8, 0.99, 0.7, 0.3, 0.99, 0.2, 0.6, 0.99, 0.1),
};

test('ssd answers boxes as xMin, yMin, xMax, yMax inside the image, best first within a class', async () => {
  const outputs = await runHead(ssd, [ssdScores, ssdBoxes], { score: 0.5, iou: 0.5 });
  expect(detectionsIn(outputs)).toEqual([
    { classIndex: 0, score: 0.9, box: [0.2, 0.1, 0.6, 0.5] },
    { classIndex: 0, score: 0.6, box: [0, 0, 1, 0.3] },
    { classIndex: 1, score: 0.7, box: [0.2, 0.1, 0.61, 0.5] },
  ]);
});

test('both thresholds apply from run to run, and no class has more boxes than its limit', async () => {
  const loose = detectionsIn(await runHead(ssd, [ssdScores, ssdBoxes], { score: 0.05, iou: 1 }));
  expect(loose.filter(({ classIndex }) => classIndex === 0).map(({ score }) => score)).toEqual([0.9, 0.8]);
  expect(loose.filter(({ classIndex }) => classIndex === 1).map(({ score }) => score)).toEqual([0.7, 0.2]);
  const strict = detectionsIn(await runHead(ssd, [ssdScores, ssdBoxes], { score: 0.95, iou: 0.5 }));
  expect(strict).toEqual([]);
});

test('a class id outside the scores is refused', async () => {
  const wrong = { ...ssd, classIds: [3] };
  await expect(runHead(wrong, [ssdScores, ssdBoxes], { score: 0.5, iou: 0.5 })).rejects.toThrow(ImportError);
});

const centernet = { head: 'centernet', heatMap: 'h', sizes: 's', maxPerClass: 10 } as const;

/** A map of [1,height,width,channels] that is 0 except for some cells. */
function sparse(
  height: number,
  width: number,
  channels: number,
  cells: readonly (readonly [number, number, readonly number[]])[],
): HeadInput {
  const data = new Float32Array(height * width * channels);
  for (const [y, x, numbers] of cells) data.set(numbers, (y * width + x) * channels);
  return { dims: [1, height, width, channels], data };
}

test('centernet answers a box for every peak of its 3x3, whatever the size of the image', async () => {
  // An image of 48x24: sizes are pixels from 4 x the cell to left, top, right, bottom.
  const heatMap = sparse(6, 12, 2, [
    [2, 5, [0.8, 0.3]],
    [2, 6, [0.7, 0.1]],
    [5, 0, [0, 0.6]],
  ]);
  const sizes = sparse(6, 12, 4, [
    [2, 5, [10, 6, 14, 8]],
    [2, 6, [1, 1, 1, 1]],
    [5, 0, [4, 10, 12, 2]],
  ]);
  const outputs = await runHead(centernet, [heatMap, sizes], { score: 0.2, iou: 0.5 });
  const box = [10 / 48, 2 / 24, 34 / 48, 16 / 24].map((side) => Number(side.toFixed(4)));
  expect(detectionsIn(outputs)).toEqual([
    { classIndex: 0, score: 0.8, box },
    { classIndex: 1, score: 0.6, box: [0, 10 / 24, 12 / 48, 22 / 24].map((side) => Number(side.toFixed(4))) },
    { classIndex: 1, score: 0.3, box },
  ]);
});

test('a classifier answers probabilities of the real classes that sum to 1', async () => {
  const logits = { dims: [1, 4], data: Float32Array.of(50, 1, 3, 2) };
  const outputs = await runHead({ head: 'classifier-logits', firstClass: 1 }, [logits]);
  const probabilities = floats(outputs['probabilities']);
  const total = Math.exp(1) + Math.exp(2) + Math.exp(3);
  expect(outputs['probabilities']?.dims).toEqual([1, 3]);
  [1, 3, 2].forEach((logit, index) => {
    expect(probabilities[index]).toBeCloseTo(Math.exp(logit) / total, 5);
  });
  await expect(runHead({ head: 'classifier-logits', firstClass: 4 }, [logits])).rejects.toThrow(
    /none of the 4 classes/,
  );
});
