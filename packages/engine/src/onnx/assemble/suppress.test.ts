import { expect, test } from 'vitest';
import { floats, runGraph } from '../fixtures/run-graph.js';
import { GraphBuilder } from '../graph/graph-builder.js';
import { writeDetections } from './suppress.js';

test('sides of boxes move outward by their class, after suppression, and stay inside the image', async () => {
  const builder = new GraphBuilder();
  writeDetections(builder, {
    corners: builder.input('corners', 'float32', [1, 3, 4]),
    columns: [1, 0, 3, 2],
    scores: builder.input('likely', 'float32', [1, 2, 3]),
    maxPerClass: 10,
    boxBiases: builder.constant(
      'float32',
      [2, 4],
      Float32Array.of(0, 0, 0, 0, 0.5, -0.25, 0.25, 0.1),
      'outsets',
    ),
  });
  const outputs = await runGraph(builder, {
    // yMin, xMin, yMax, xMax
    corners: {
      dims: [1, 3, 4],
      data: Float32Array.of(0.4, 0.4, 0.8, 0.6, 0.4, 0.4, 0.8, 0.61, 0.1, 0.1, 0.5, 0.3),
    },
    likely: { dims: [1, 2, 3], data: Float32Array.of(0.9, 0, 0, 0.8, 0.7, 0.6) },
    score_threshold: { dims: [1], data: Float32Array.of(0.5) },
    iou_threshold: { dims: [1], data: Float32Array.of(0.5) },
  });
  expect(floats(outputs['scores']).map((score) => Number(score.toFixed(4)))).toEqual([0.9, 0.8, 0.6]);
  const expected = [0.4, 0.4, 0.6, 0.8, 0.3, 0.5, 0.65, 0.84, 0, 0.2, 0.35, 0.54];
  floats(outputs['boxes']).forEach((side, index) => {
    expect(side).toBeCloseTo(expected[index] ?? Number.NaN, 5);
  });
  expect([...(outputs['classes']?.data ?? [])].map(Number)).toEqual([0, 1, 1]);
});
