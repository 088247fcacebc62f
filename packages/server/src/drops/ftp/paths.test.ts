import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanName, resolvePath, showPath } from '../servers/paths.js';
import { isPattern, matchName } from './listing.js';

describe('a path', () => {
  const part = fc.oneof(
    fc.constantFrom('.', '..', '', 'incoming', 'done', 'failed', 'DCIM', 'a\0', '\u202e', 'x'.repeat(300)),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join('/'));

  test('stays inside the drop or is rejected, from every start folder', () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        const folder = resolvePath([], from);
        const start = 'path' in folder ? folder.path : [];
        const resolved = resolvePath(start, to);
        if ('refused' in resolved) return;
        const { path } = resolved;
        expect(path.length).toBeLessThanOrEqual(32);
        if (path.length > 0) expect(['incoming', 'done', 'failed']).toContain(path[0]);
        for (const name of path) {
          expect(['', '.', '..']).not.toContain(name);
          expect(cleanName(name)).toBe(name);
          expect(name).not.toMatch(/[/\p{Cc}\p{Cf}]/u);
          expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
        }
        // The shown path resolves to the same path.
        expect(resolvePath(['done'], showPath(path))).toEqual({ path });
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a pattern', () => {
  test('matches like the equivalent regular expression', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    const plain = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    fc.assert(
      fc.property(few, plain, (pattern, name) => {
        const wanted = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
        expect(matchName(pattern, name)).toBe(wanted.test(name));
      }),
      { numRuns: 2000 },
    );
  });

  test('with many asterisks is matched in short time', () => {
    const before = process.cpuUsage();
    expect(matchName('*a'.repeat(2000), 'a'.repeat(255))).toBe(false);
    expect(matchName(`${'*a'.repeat(100)}b`, 'a'.repeat(255))).toBe(false);
    // CPU time, because wall time varies on a busy machine; backtracking would never end.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
    expect(isPattern('IMG_*.JPG')).toBe(true);
  });
});

test('a change to incoming within incoming stays there, for clients that start with the reported folder', () => {
  for (const text of ['incoming', 'incoming/', './incoming', '/incoming/incoming', 'incoming/incoming']) {
    expect(resolvePath(['incoming'], text)).toEqual({ path: ['incoming'] });
  }
  expect(resolvePath(['incoming'], 'incoming/DCIM/x.jpg')).toEqual({ path: ['incoming', 'DCIM', 'x.jpg'] });
  expect(resolvePath(['incoming', 'DCIM'], 'incoming')).toEqual({ path: ['incoming', 'DCIM', 'incoming'] });
});
