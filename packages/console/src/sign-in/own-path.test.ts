import { expect, test } from 'vitest';
import { ownPath } from './sign-in-page.js';

const origin = 'https://vision.example';

test.each([
  null,
  '',
  'faces',
  'javascript:alert(1)',
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n\\evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '//',
])('after the sign-in %j leads to the first page', (next) => {
  expect(ownPath(next, origin)).toBe('/');
});

test.each(['/faces/1001?search=Ada#top', '/', '/files?from=//evil.example'])(
  'after the sign-in %s leads there',
  (next) => {
    expect(ownPath(next, origin)).toBe(next);
  },
);
