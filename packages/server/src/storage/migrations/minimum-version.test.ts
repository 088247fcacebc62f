import { expect, test } from 'vitest';
import { compareVersions, requireVersion } from './minimum-version.js';

test('versions are compared by their numbers', () => {
  expect(compareVersions('0.2.0', '0.10.0')).toBeLessThan(0);
  expect(compareVersions('1.0.0', '0.99.99')).toBeGreaterThan(0);
  expect(compareVersions('1.2.3-rc.1', '1.2.3')).toBe(0);
});

test('an older version is refused with both versions, an equal or newer one is not', () => {
  expect(() => requireVersion('1.2.0', '1.1.9', 'The database x')).toThrow(
    /x needs version 1.2.0.*this is 1.1.9/,
  );
  expect(() => requireVersion('1.2.0', '1.2.0', 'x')).not.toThrow();
  expect(() => requireVersion(null, '0.0.1', 'x')).not.toThrow();
});
