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

const bytesOf = (...bytes: number[]) => ({ bytes: Uint8Array.from(bytes), isMarkedUtf8: false });
const [swinia, lodz] = [bytesOf(0x9c, 0x77, 0x69, 0x6e, 0x69, 0x61), bytesOf(0xa3, 0xf3, 0x64, 0x9f)];

test('letters of Windows under the mark of a part of ISO 8859 are read and written as such', () => {
  const { decode, encode } = findIptcEncoding([swinia, lodz], ['ESC - B'], []);
  expect([swinia, lodz].map(decode)).toEqual(['świnia', 'Łódź'].map(certain));
  expect(encode('ź')).toBe('\u0178');
  const inIso = findIptcEncoding([bytesOf(0xb6)], ['ESC - B'], []);
  expect(inIso.decode(bytesOf(0xb6))).toEqual(certain('ś'));
  const cyrillic = bytesOf(0xc0, 0xff, 0x88);
  expect(findIptcEncoding([cyrillic], ['ESC - L'], []).decode(cyrillic)).toEqual(certain('Ая€'));
});

test('where Windows has no such letters either, they are a guess', () => {
  for (const mark of ['ESC - C', 'ESC - V'])
    expect(findIptcEncoding([swinia], [mark], []).decode(swinia)).toEqual(guessed('œwinia'));
});

test('where only some texts are of Windows, all are a guess', () => {
  const [snieg, dash] = [bytesOf(0xb6, 0x6e, 0x69, 0x65, 0x67), bytesOf(0x61, 0x96, 0x62)];
  const { decode } = findIptcEncoding([snieg, dash], ['ESC - B'], []);
  expect(decode(snieg).isGuess).toBe(true);
});
