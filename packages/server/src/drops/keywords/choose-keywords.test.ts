import fc from 'fast-check';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { chooseKeywords, type Findings } from './choose-keywords.js';
import { defaultKeywordSettings, KeywordSettings } from './keyword-settings.js';
import { keywordKey, maxKeywordBytes } from './keyword-text.js';

const titled = (title: string, score: number) => ({ label: { id: title, title }, score });

const street: Findings = {
  objects: [titled('person', 0.9), titled('stop sign', 0.95), titled('Person', 0.7), titled('kite', 0.1)],
  classes: [titled('street sign', 0.6), titled('STOP SIGN', 0.5), titled('crane', 0.2)],
  texts: [
    { text: 'STOP', score: 0.99 },
    { text: 'blurred', score: 0.4 },
  ],
  faces: [
    { score: 0.9, person: { name: 'Ann McKee', similarity: 0.8 } },
    { score: 0.8, person: null },
    { score: 0.8 },
  ],
};

describe('choosing keywords', () => {
  test('names come first, then objects, classes and texts, the surest of each first and none twice', () => {
    expect(chooseKeywords(street, defaultKeywordSettings)).toEqual([
      'Ann McKee',
      'stop sign',
      'person',
      'street sign',
      'STOP',
    ]);
  });

  test('only what the drop asks for is written, as it asks for it', () => {
    const settings: KeywordSettings = {
      ...defaultKeywordSettings,
      sources: ['texts', 'faces', 'names'],
      prefix: 'AI: ',
      lowerCase: true,
    };
    expect(chooseKeywords(street, settings)).toEqual(['AI: Ann McKee', 'AI: stop', 'AI: face']);
    expect(chooseKeywords(street, { ...defaultKeywordSettings, maxKeywords: 2 })).toEqual([
      'Ann McKee',
      'stop sign',
    ]);
    expect(chooseKeywords(street, { ...defaultKeywordSettings, sources: [] })).toEqual([]);
    expect(chooseKeywords({}, defaultKeywordSettings)).toEqual([]);
  });

  test('whatever is found, keywords are unique, not empty, within the limits of IPTC, and no more than wanted', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 90 }),
      fc.constantFrom('A', 'a', ' ', '\n', ''),
    );
    const score = fc.double({ min: 0, max: 1, noNaN: true });
    const list = fc.array(fc.tuple(text, score));
    fc.assert(
      fc.property(list, list, text, fc.nat(5), (objects, texts, prefix, maxKeywords) => {
        const found = {
          objects: objects.map(([title, sure]) => titled(title, sure)),
          texts: texts.map(([line, sure]) => ({ text: line, score: sure })),
        };
        const keywords = chooseKeywords(found, { ...defaultKeywordSettings, prefix, maxKeywords });
        expect(keywords.length).toBeLessThanOrEqual(maxKeywords);
        expect(new Set(keywords.map(keywordKey)).size).toBe(keywords.length);
        for (const keyword of keywords) {
          expect(keyword.trim()).not.toBe('');
          expect(Buffer.byteLength(keyword)).toBeLessThanOrEqual(maxKeywordBytes);
        }
      }),
    );
  });

  test('the default settings fit their schema, and unknown ones do not', () => {
    expect(Value.Check(KeywordSettings, defaultKeywordSettings)).toBe(true);
    expect(Value.Check(KeywordSettings, { ...defaultKeywordSettings, colour: 'red' })).toBe(false);
    expect(Value.Check(KeywordSettings, { ...defaultKeywordSettings, sources: ['names', 'names'] })).toBe(
      false,
    );
  });
});
