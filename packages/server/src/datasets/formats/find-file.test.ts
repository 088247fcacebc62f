import { expect, test } from 'vitest';
import { mostCpuBetweenTurns } from '../../core/fixtures/cpu-between-turns.js';
import { type FoundFile, indexFiles } from './find-file.js';

test.each(['x', '/', 'a/', '0123abcd-', '/0123abcd-', '%2F', '?'])(
  'a name of a hundred thousand characters of %s takes no time that grows with the square of its length',
  async (piece) => {
    const find = indexFiles(['a/1.jpg']);
    const name = piece.repeat(100_000 / piece.length);
    let found: FoundFile | null = { path: '', otherCase: null };
    const { most } = await mostCpuBetweenTurns(async () => {
      found = find(name);
    });
    expect(found).toBeNull();
    // Some milliseconds; the square is ten seconds.
    expect(most).toBeLessThan(500);
  },
);
