import { describe, expect, test } from 'vitest';
import { foreignTo, guessLetters } from './guess-language.js';

const lettersIn = (...texts: string[]) => guessLetters(texts).letters;

describe('the letters of an image', () => {
  test('are those of the language that explains its accents', () => {
    const letters = lettersIn('Zażółć gęślą jaźń', 'Łôdź');
    expect(letters.has('ł')).toBe(true);
    expect(letters.has('ô')).toBe(false);
    expect(foreignTo(letters, 'Łôdź')).toEqual(['ô']);
  });

  test('are those of all languages that explain as much', () => {
    const letters = lettersIn('för äpplen', 'Öl på');
    expect(letters.has('å')).toBe(true);
    for (const letter of 'äöü') expect(lettersIn('Käse, Öl, für, schön').has(letter)).toBe(true);
  });

  test('have no accents where there are few, and none where no language explains them', () => {
    expect(lettersIn('The café is open').size).toBe(0);
    expect(lettersIn().size).toBe(0);
    expect(guessLetters(['łąęś ğış ñ ¿ øå'])).toEqual({
      letters: new Set(),
      maxLoss: 0.5,
      areOfLanguage: false,
    });
  });
});
