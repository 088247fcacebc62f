import { describe, expect, test } from 'vitest';
import { mostCpuBetweenTurns } from '../../../core/fixtures/cpu-between-turns.js';
import { indexFiles } from './find-file.js';
import { indexImagesOfTexts } from './images-of-texts.js';

test.each(['x', '/', 'a/', '0123abcd-', '/0123abcd-', '%2F', '?'])(
  'a name of a hundred thousand characters of %s takes no time that grows with the square of its length',
  async (piece) => {
    const find = indexFiles(['a/1.jpg']);
    const name = piece.repeat(100_000 / piece.length);
    let found: string | null = '';
    const { most } = await mostCpuBetweenTurns(async () => {
      found = find(name).path;
    });
    expect(found).toBeNull();
    // Some milliseconds; the square is ten seconds.
    expect(most).toBeLessThan(500);
  },
);

describe('many images of one name', () => {
  const count = 20_000;
  const numbers = Array.from({ length: count }, (_, number) => number);
  const paths = numbers.map((number) => `set/${number}/image.jpg`);

  test.each([
    ['names with their folders', (number: number) => [`${number}/image.jpg`, `all.csv`], true],
    [
      'names without folders, by a file beside each',
      (number: number) => ['image.jpg', `set/${number}/x.xml`],
      true,
    ],
    ['names of other folders', (number: number) => [`old/${number}x/image.jpg`, 'all.csv'], false],
    ['names without folders, by one file', () => ['image.jpg', 'all.csv'], false],
  ])(
    'are found in a time that does not grow with the square of their number: %s',
    async (_what, nameOf, isFound) => {
      let found: readonly (string | null)[] = [];
      const { all } = await mostCpuBetweenTurns(async () => {
        const find = indexFiles(paths);
        found = numbers.map((number) => {
          const [name = '', path = ''] = nameOf(number);
          return find(name, { path, split: null }).path;
        });
      });
      const isRight = (path: string | null, at: number) => path === (isFound ? paths[at] : null);
      expect(found.filter(isRight)).toHaveLength(count);
      // A tenth of it is taken; the square is minutes.
      expect(all).toBeLessThan(10_000);
    },
  );

  test('and those of text files, too', async () => {
    let found: readonly (string | null)[] = [];
    const { all } = await mostCpuBetweenTurns(async () => {
      const find = indexImagesOfTexts(paths);
      found = numbers.map((number) => find(`set/${number}/labels/image.txt`).path);
    });
    expect(found.filter((path, at) => path === paths[at])).toHaveLength(count);
    expect(all).toBeLessThan(10_000);
  });
});
