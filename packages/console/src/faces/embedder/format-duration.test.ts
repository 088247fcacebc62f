import { expect, test } from 'vitest';
import { formatDuration } from './embedder-change.js';

test.each([
  [0.2, '1 second'],
  [45, '45 seconds'],
  [200, '3 minutes'],
  [3600, '60 minutes'],
  [9000, '3 hours'],
])('%d seconds read as %s', (seconds, text) => {
  expect(formatDuration(seconds, 'en')).toBe(text);
});
