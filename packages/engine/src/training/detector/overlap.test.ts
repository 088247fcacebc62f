import { expect, test } from 'vitest';
import { assignAnchors, cornersOverlap } from './overlap.js';

const corners = (...boxes: readonly (readonly number[])[]) => Float32Array.from(boxes.flat());

test('overlap is that of the boxes clipped to the image', () => {
  expect(cornersOverlap([0, 0, 0.5, 1], [0.25, 0, 0.75, 1])).toBeCloseTo(1 / 3);
  expect(cornersOverlap([0, 0, 0.2, 0.2], [0.5, 0.5, 1, 1])).toBe(0);
  const { positive } = assignAnchors(corners([-1, 0, 0.5, 2]), [[0, 0, 0.5, 1]]);
  expect(positive).toEqual([0]);
});

test('a labelled box that no anchor fits still has its nearest one as a positive', () => {
  const anchors = corners([0, 0, 0.1, 0.1], [0.4, 0.4, 1, 1], [0.8, 0.8, 1, 1]);
  expect(assignAnchors(anchors, [[0.7, 0.7, 1, 1]])).toEqual({ positive: [2], negative: [0, 1] });
});

test('an anchor with an overlap in between is neither positive nor negative', () => {
  const { positive, negative } = assignAnchors(corners([0, 0, 1, 1], [0, 0, 0.6, 1]), [[0, 0, 1, 1]]);
  expect(positive).toEqual([0]);
  expect(negative).toEqual([]);
});

test('an image without boxes is negative everywhere', () => {
  expect(assignAnchors(corners([0, 0, 1, 1], [0, 0, 0.6, 1]), [])).toEqual({
    positive: [],
    negative: [0, 1],
  });
});
