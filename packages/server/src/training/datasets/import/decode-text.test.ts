import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextPieces } from './decode-text.js';

function decode(bytes: Buffer, pieceLength = bytes.length): readonly [string, string | null] {
  const pieces = new TextPieces();
  let text = '';
  for (let at = 0; at < bytes.length; at += pieceLength)
    text += pieces.push(bytes.subarray(at, at + pieceLength));
  text += pieces.end();
  return [text, pieces.guess];
}

const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

test.each([
  ['UTF-8', Buffer.from('Müll,Mäll'), 'Müll,Mäll', null],
  ['UTF-8 with its mark', Buffer.from('\ufeffMüll'), 'Müll', null],
  ['Windows-1252', Buffer.from('Müll, Mäll', 'latin1'), 'Müll, Mäll', 'windows-1252'],
  [
    'what Windows-1252 has beyond Latin-1',
    Buffer.concat([Buffer.from(xml('ISO-8859-1')), Buffer.from([0x80, 0x92])]),
    `${xml('ISO-8859-1')}€’`,
    null,
  ],
  ['UTF-16', Buffer.from('\ufeffMüll', 'utf16le'), 'Müll', null],
  ['UTF-16, the large end first', utf16be('\ufeffMüll'), 'Müll', null],
  ['UTF-16 without a mark', Buffer.from('a Müll', 'utf16le'), 'a Müll', null],
  [
    'XML that says ISO-8859-1',
    Buffer.from(`${xml('ISO-8859-1')}Müll`, 'latin1'),
    `${xml('ISO-8859-1')}Müll`,
    null,
  ],
  [
    'XML that says Windows-1251',
    Buffer.concat([Buffer.from(xml('windows-1251')), Buffer.from([0xea, 0xee, 0xf2])]),
    `${xml('windows-1251')}кот`,
    null,
  ],
  [
    'XML that says UTF-8, and is not',
    Buffer.from(`${xml('utf-8')}Müll`, 'latin1'),
    `${xml('utf-8')}Müll`,
    'windows-1252',
  ],
  [
    'UTF-8 with a stray byte before, in and after characters',
    Buffer.concat([
      Buffer.from([0xc3]),
      Buffer.from('Müll,'),
      Buffer.from([0xe2, 0x82]),
      Buffer.from('Mäll€,'),
      Buffer.from([0xff, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xc3]),
    ]),
    'ÃMüll,â‚Mäll€,ÿÀ¯í\u00a0€Ã',
    'windows-1252',
  ],
  [
    'XML that says Shift JIS, with a stray byte',
    Buffer.concat([Buffer.from(xml('shift_jis')), Buffer.from([0x94, 0x4c, 0xff, 0x8c, 0xa2])]),
    `${xml('shift_jis')}猫\ufffd犬`,
    'shift_jis',
  ],
  ['XML of no encoding', Buffer.from(`${xml('x-none')}a`), `${xml('x-none')}a`, 'windows-1252'],
])('reads %s', (_what, bytes, text, guess) => {
  expect(decode(bytes)).toEqual([text, guess]);
});

test('of UTF-8 no character is lost, however its bytes are cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 9 }), (text, pieceLength) => {
      const whole = `names ${text}`;
      expect(decode(Buffer.from(whole), pieceLength)).toEqual([whole, null]);
    }),
  );
});

test('of UTF-8 with wrong bytes anywhere, every character around them is read, however its bytes are cut', () => {
  const part = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => ({ bytes: Buffer.from(text), text })),
    // None of these is part of a character, whatever is beside it.
    fc.constantFrom(0xc0, 0xc1, 0xf5, 0xff).map((byte) => {
      const bytes = Buffer.from([byte]);
      return { bytes, text: bytes.toString('latin1') };
    }),
  );
  fc.assert(
    fc.property(fc.array(part), fc.integer({ min: 1, max: 9 }), (parts, pieceLength) => {
      const bytes = Buffer.concat([Buffer.from('names '), ...parts.map((each) => each.bytes)]);
      expect(decode(bytes, pieceLength)[0]).toBe(`names ${parts.map(({ text }) => text).join('')}`);
    }),
  );
});

test('one wrong byte of a long file changes no name but its own', () => {
  const row = Buffer.from('a.jpg,Müll\n');
  const bytes = Buffer.alloc(6000 * row.length, row);
  bytes[2000 * row.length] = 0xc3;
  const [text] = decode(bytes, 16_384);
  const names = text.split('\n').map((line) => line.split(',')[1]);
  expect(names.filter((name) => name === 'Müll')).toHaveLength(6000);
});

test('of other bytes none becomes a replacement character, however they are cut', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 9 }),
      (bytes, pieceLength) => {
        const given = Buffer.concat([Buffer.from('names '), bytes]);
        const [text, guess] = decode(given, pieceLength);
        if (guess !== null || !Buffer.from(text).equals(given)) expect(text).not.toContain('\ufffd');
      },
    ),
  );
});
