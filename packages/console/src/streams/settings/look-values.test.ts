import { expect, test } from 'vitest';
import { usualLook, withClass, withLabels, wrongNumbers } from './look-values.js';

test('numbers out of their limits, and empty fields, are named', () => {
  expect(wrongNumbers(usualLook)).toEqual([]);
  expect(wrongNumbers({ fps: 0, max_width: 640.5, stationary_after_seconds: '' })).toEqual([
    'fps',
    'max_width',
    'stationary_after_seconds',
  ]);
});

test('classes that stay keep their scores, and new ones begin with the score of all', () => {
  const classes = withLabels([], ['person', 'car'], 0.5);
  const changed = withClass(classes, 'person', { min_score: 0.8, min_area: 0.01 });
  expect(withLabels(changed, ['dog', 'person'], 0.6)).toEqual([
    { label: 'dog', min_score: 0.6, min_area: 0 },
    { label: 'person', min_score: 0.8, min_area: 0.01 },
  ]);
});
