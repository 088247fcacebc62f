import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkBlobId, isBlobId } from './blob-id.js';

test('what is a way out of a store is no id', () => {
  const odd = [
    '../../../etc/passwd',
    'aaaaaaaa/../..',
    '/aaaaaaaa',
    'aaaaaaaa\\..',
    'aaaaaaaa\0',
    'aaaaaaaa%2f',
    '',
  ];
  for (const id of odd) expect(() => checkBlobId(id), id).toThrow('no id');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (id) => {
      // One segment of a path or key, that no escaping changes.
      if (isBlobId(id)) expect(encodeURIComponent(id)).toBe(id);
      if (/[^a-z0-9-]/.test(id)) expect(isBlobId(id)).toBe(false);
    }),
  );
});
