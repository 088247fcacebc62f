import { describe, expect, test } from 'vitest';
import { fromTold, toTold } from './told-values.js';

describe('what is told of a model file', () => {
  test('an empty form tells nothing', () => {
    expect(toTold({}, fromTold({}))).toEqual({});
  });

  test('what was told is kept, also what the form does not show', () => {
    const told = {
      labels: ['cat', 'dog'],
      layout: 'yolov8',
      threshold: 0.3,
      first_class: 1,
      activation: 'sigmoid',
      input: { fit: 'letterbox', channels: 'bgr', mean: [0, 0, 0], width: 640 },
      boxes: { format: 'xyxy' },
    } as const;
    expect(toTold(told, fromTold(told))).toEqual(told);
  });

  test('a field that is emptied takes back what was told', () => {
    const told = { labels: ['cat'], input: { fit: 'squash' } } as const;
    expect(toTold(told, { ...fromTold(told), labels: ' \n', fit: null })).toEqual({});
  });
});
