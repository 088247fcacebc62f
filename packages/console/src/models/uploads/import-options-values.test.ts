import { describe, expect, test } from 'vitest';
import { fromImportOptions, toImportOptions } from './import-options-values.js';

describe('import options of a model file', () => {
  test('an empty form sets no option', () => {
    expect(toImportOptions({}, fromImportOptions({}))).toEqual({});
  });

  test('keeps earlier options, also those that the form does not show', () => {
    const options = {
      labels: ['cat', 'dog'],
      layout: 'yolov8',
      threshold: 0.3,
      first_class: 1,
      activation: 'sigmoid',
      input: { fit: 'letterbox', channels: 'bgr', mean: [0, 0, 0], width: 640 },
      boxes: { format: 'xyxy' },
    } as const;
    expect(toImportOptions(options, fromImportOptions(options))).toEqual(options);
  });

  test('an emptied field removes its option', () => {
    const options = { labels: ['cat'], input: { fit: 'squash' } } as const;
    expect(toImportOptions(options, { ...fromImportOptions(options), labels: ' \n', fit: null })).toEqual({});
  });
});
