import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkNames, findNumbers, numberNames, temporaryName } from './remote-names.js';

const name = fc
  .tuple(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 260 }),
    fc.constantFrom('', '.jpg', '.jpeg', '.x.CR2'),
  )
  .map(([stem, ending]) => `${stem.replace(/[/\\\p{Cc}]/gu, '_')}${ending}`)
  .filter((text) => Buffer.byteLength(text) <= 255 && text !== '.' && text !== '..');

test('numbered and temporary names of any name are valid, and the number is found again', () => {
  fc.assert(
    fc.property(name, fc.integer({ min: 2, max: 9999 }), (text, number) => {
      const [numbered = ''] = numberNames([text], number);
      const file = { name: text, deliveryId: '1a2b3c4d-0000', sizeBytes: 0, sha256: '', mediaType: '' };
      const temporary = temporaryName({ ...file, read: () => (async function* () {})() });
      checkNames([numbered, temporary]);
      expect(numbered).not.toBe(text);
      expect(findNumbers(text, [numbered, temporary, text])).toContain(number);
    }),
    { numRuns: 1000 },
  );
});

test('a sidecar gets the number of its image, in both forms of its name', () => {
  expect(numberNames(['a.xmp', 'a.jpg'], 2)).toEqual(['a (2).xmp', 'a (2).jpg']);
  expect(numberNames(['a.jpg.xmp', 'a.jpg'], 3)).toEqual(['a (3).jpg.xmp', 'a (3).jpg']);
  expect(numberNames(['b'], 2)).toEqual(['b (2)']);
});

test('numbers of other files are ignored', () => {
  expect(
    findNumbers('a.jpg', ['a (2).jpg', 'A (3).JPG', 'b (4).jpg', 'a (5).png', 'a (1).jpg', 'a.jpg']),
  ).toEqual([2, 3]);
});
