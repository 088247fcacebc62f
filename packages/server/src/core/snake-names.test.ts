import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCamel, toSnake } from './snake-names.js';

test('names on the wire and in the code are each other, whatever the fields hold', () => {
  const name = fc.stringMatching(/^[a-z]+([A-Z][a-z]+){0,3}$/);
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue(), { noNullPrototype: true }), (fields) => {
      expect(toCamel(toSnake(fields))).toEqual(fields);
      expect(Object.keys(toSnake(fields)).join('')).not.toMatch(/[A-Z]/);
    }),
  );
  expect(toSnake({ keepDoneDays: 7, keywords: { maxKeywords: 3 } })).toEqual({
    keep_done_days: 7,
    keywords: { maxKeywords: 3 },
  });
});
