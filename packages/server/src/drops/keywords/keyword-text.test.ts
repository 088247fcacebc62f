import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanKeyword, cutKeyword, keywordKey, maxKeywordBytes } from './keyword-text.js';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme', maxLength: 100 }));

describe('the text of a keyword', () => {
  test('is one composed line that holds nothing a file or a list of arguments could stumble over', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const clean = cleanKeyword(text);
        expect(clean).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\uFFFE\uFFFF]|^\s|\s$|\s\s/u);
        expect(cleanKeyword(clean)).toBe(clean);
        expect(clean.normalize('NFC')).toBe(clean);
      }),
    );
    expect(cleanKeyword(' a\r\n b\0\t\u202Ec\u202C ')).toBe('a b c');
    expect(cleanKeyword('Cafe\u0301')).toBe('Caf\u00e9');
    expect(cleanKeyword('half \ud83d')).toBe('half');
  });

  test('has no towers of accents, which would hold the event loop for seconds', () => {
    const tower = `a${'\u0301\u0316'.repeat(25_000)}`;
    const before = process.cpuUsage();
    expect(cleanKeyword(tower)).toBe(`\u00e1${'\u0316'.repeat(15)}${'\u0301'.repeat(14)}`);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1000);
  });

  test('is cut to its beginning within 64 bytes, and not to less than half of them', () => {
    fc.assert(
      fc.property(anyText.map(cleanKeyword), (text) => {
        const cut = cutKeyword(text);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxKeywordBytes);
        expect(text.startsWith(cut)).toBe(true);
        expect(cleanKeyword(cut)).toBe(cut);
        if (Buffer.byteLength(text) <= maxKeywordBytes) expect(cut).toBe(text);
        else expect(Buffer.byteLength(cut) * 2).toBeGreaterThanOrEqual(maxKeywordBytes - 4);
      }),
    );
  });

  test('is cut between words, else between characters as they are seen', () => {
    expect(cutKeyword(`${'word '.repeat(12)}lasting`)).toBe('word '.repeat(12).trim());
    expect(cutKeyword('x'.repeat(70))).toBe('x'.repeat(64));
    expect(cutKeyword('\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'.repeat(5))).toBe(
      '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'.repeat(3),
    );
    expect(cutKeyword(`a${'\u0301'.repeat(60)}`)).not.toBe('');
  });

  test('is the same whatever its case and however its accents are encoded', () => {
    expect(keywordKey('CAFÉ')).toBe(keywordKey('cafe\u0301'));
    expect(keywordKey(' a  b ')).toBe(keywordKey('A B'));
    expect(keywordKey('cafe')).not.toBe(keywordKey('café'));
  });
});
