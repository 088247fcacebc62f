import { describe, expect, test } from 'vitest';
import { findIptcEncoding } from './iptc-encoding.js';

const utf8 = (text: string) => ({ bytes: Buffer.from(text), isMarkedUtf8: false });
const latin1 = (text: string) => ({ bytes: Buffer.from(text, 'latin1'), isMarkedUtf8: false });
const certain = (text: string) => ({ text, isGuess: false });
const guessed = (text: string) => ({ text, isGuess: true });

describe.each(['ESC - A', 'ESC . A', 'ESC - B', 'ESC $ B'])('UTF-8 under the mark %s', (mark) => {
  const texts = [utf8('Zürich'), utf8('Genève'), utf8('boat')];

  test('is UTF-8, certain where XMP agrees', () => {
    const { decode, encode, charset, utf8Mark } = findIptcEncoding(texts, [mark], ['Zürich', 'Genève']);
    expect(texts.map(decode)).toEqual(['Zürich', 'Genève', 'boat'].map(certain));
    expect([encode('Čaj'), charset, utf8Mark]).toEqual(['Čaj', 'UTF8', 'never']);
  });

  test('is a guess where XMP has other texts or none', () => {
    for (const xmp of [[], ['Bern'], ['Zug', 'Chaumières']]) {
      const { decode } = findIptcEncoding(texts, [mark], xmp);
      expect(texts.map(decode)).toEqual([guessed('Zürich'), guessed('Genève'), certain('boat')]);
    }
  });
});

test('text in the declared encoding is read and written by it', () => {
  const { decode, encode, charset } = findIptcEncoding([latin1('Zürich')], ['ESC - A'], ['Zürich']);
  expect([decode(latin1('Zürich')), encode('Genève'), charset]).toEqual([
    certain('Zürich'),
    'Genève',
    'Latin',
  ]);
});

test.each([[[]], [['ESC - A']]])(
  'of texts in two encodings each is read by its own, and keywords are added as UTF-8 (declared: %j)',
  (declared) => {
    const texts = [utf8('Zürich'), utf8('Genève'), latin1('Besançon')];
    const { decode, encode, charset, utf8Mark } = findIptcEncoding(texts, declared, [
      ...['Zürich', 'Genève', 'Besançon'],
    ]);
    expect(texts.map(decode)).toEqual(['Zürich', 'Genève', 'Besançon'].map(certain));
    expect([encode('Ærø'), charset, utf8Mark]).toEqual(['Ærø', 'UTF8', 'never']);
  },
);

test('a text that ends like a character of UTF-8 is cut only among others in UTF-8', () => {
  const cut = { bytes: Buffer.from('Caf\xe9', 'latin1'), isMarkedUtf8: false };
  const alone = findIptcEncoding([cut, latin1('Besançon')], [], []);
  expect([cut, latin1('Besançon')].map(alone.decode)).toEqual([guessed('Café'), guessed('Besançon')]);
  const among = findIptcEncoding([cut, utf8('Genève')], [], []);
  expect([cut, utf8('Genève')].map(among.decode)).toEqual([certain('Caf'), certain('Genève')]);
});
