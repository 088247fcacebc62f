import { expect, test } from 'vitest';
import { formatBytes } from './use-format.js';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [4_240_000, '4.2 MB'],
  [3e15, '3,000 TB'],
])('%i bytes read as %s', (bytes, text) => {
  expect(formatBytes(bytes, 'en')).toBe(text);
});
