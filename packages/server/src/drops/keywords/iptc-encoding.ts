import { isUtf8 } from 'node:buffer';
import { decodeWindows1252, windows1252Characters } from '../../core/windows-1252.js';
import { keywordKey } from './keyword-text.js';

/** A text of IPTC as its bytes, and whether its block declares UTF-8. */
export interface IptcText {
  readonly bytes: Uint8Array;
  readonly isMarkedUtf8: boolean;
}

/** What a text reads as. `isGuess`: nothing tells how it is encoded, and Windows-1252 is supposed. */
export interface DecodedText {
  readonly text: string;
  readonly isGuess: boolean;
}

/** How the IPTC of an image is encoded. Texts that are there are never written again: a keyword is added in the encoding that they have. */
export interface IptcEncoding {
  /** Whether the image is marked as UTF-8 when keywords are added: `if-needed` where one of them is not ASCII. */
  readonly utf8Mark: 'always' | 'if-needed' | 'never';
  decode(text: IptcText): DecodedText;
  /** The text with which exiftool writes a keyword by `charset`; null where the encoding cannot express it. */
  encode(keyword: string): string | null;
  /** exiftool's name of the encoding in which it is to write into blocks without a mark. */
  readonly charset: 'Latin' | 'UTF8';
}

/**
 * Determines the encoding by what declares it (IIM 4.2, dataset 1:90), by its bytes where they are UTF-8, or by the texts that the same
 * image has in XMP.
 *
 * @param texts all texts of all blocks of IPTC in the image
 * @param declared values of 1:90 other than UTF-8, as exiftool shows them, such as `ESC - B`
 * @param xmp texts of the image's XMP
 */
export function findIptcEncoding(
  texts: readonly IptcText[],
  declared: readonly string[],
  xmp: readonly string[],
): IptcEncoding {
  const isForeign = ({ bytes, isMarkedUtf8 }: IptcText) =>
    !isAscii(bytes) && !(isMarkedUtf8 && isUtf8(bytes));
  const foreign = texts.filter(isForeign);
  if (declared.length === 0 && (foreign.length === 0 || areUtf8(texts))) return utf8Encoding;
  if (foreign.length === 0) return { ...utf8Encoding, utf8Mark: 'if-needed' };
  const named = declaredCharset(declared);
  const charsets = named ? [named] : recogniseByXmp(foreign, xmp);
  const [charset = windows1252, ...others] = charsets;
  const isKnown =
    charsets.length > 0 &&
    foreign.every(({ bytes }) => {
      const text = charset.decode(bytes);
      return text !== null && others.every((other) => other.decode(bytes) === text);
    });
  const hasMark = texts.some(({ isMarkedUtf8 }) => isMarkedUtf8);
  return {
    utf8Mark: 'never',
    charset: 'Latin',
    decode: (text) =>
      isForeign(text)
        ? { text: charset.decode(text.bytes) ?? decodeWindows1252(text.bytes), isGuess: !isKnown }
        : utf8Encoding.decode(text),
    encode(keyword) {
      const bytes = charset.encode(keyword);
      if (bytes === null || others.some((other) => !other.encode(keyword)?.equals(bytes))) return null;
      const text = decodeWindows1252(bytes);
      // exiftool cannot write these five bytes as Latin, and writes the text itself, not these bytes, into blocks that are marked as UTF-8.
      return /[\x81\x8d\x8f\x90\x9d]/.test(text) || (hasMark && text !== keyword) ? null : text;
    },
  };
}

const utf8Encoding: IptcEncoding = {
  utf8Mark: 'always',
  charset: 'UTF8',
  decode: ({ bytes }) => ({ text: decodeUtf8(bytes) ?? '', isGuess: false }),
  encode: (keyword) => keyword,
};

/**
 * Text that is valid as UTF-8 is UTF-8: other text hardly ever is. Programs cut a text at the number of bytes that IPTC has for it, and
 * amid a character too; then other texts, or other characters of the same one, tell.
 */
function areUtf8(texts: readonly IptcText[]): boolean {
  const decoded = texts.map(({ bytes }) => decodeUtf8(bytes));
  return (
    decoded.every((text) => text !== null) && decoded.some((text) => text !== null && /[^\0-\x7f]/.test(text))
  );
}

/** Without a last character that is cut; null where the bytes are no UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    // Streaming: bytes of an incomplete last character wait for others.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}

/** An encoding of one byte a character, or one that can only be read. */
interface Charset {
  /** Null where a byte stands for nothing. */
  decode(bytes: Uint8Array): string | null;
  encode(text: string): Buffer | null;
}

/**
 * Final bytes of the escape sequences that designate the right half of a part of ISO 8859 (ISO 2375 registrations 100 to 203); exiftool
 * shows `1B 2D 42` as `ESC - B`.
 */
const isoFinals: Readonly<Record<string, string>> = {
  A: 'windows-1252',
  B: 'iso-8859-2',
  C: 'iso-8859-3',
  D: 'iso-8859-4',
  F: 'iso-8859-7',
  G: 'iso-8859-6',
  H: 'iso-8859-8',
  L: 'iso-8859-5',
  M: 'windows-1254',
  T: 'windows-874',
  V: 'iso-8859-10',
  Y: 'iso-8859-13',
  _: 'iso-8859-14',
  b: 'iso-8859-15',
};

/** Null where 1:90 says nothing, or nothing that is known, or blocks of IPTC say different things. */
function declaredCharset(declared: readonly string[]): Charset | null {
  const finals = declared.flatMap((value) =>
    [...value.matchAll(/ESC [,\-./] (\S)/g)].map(([, final = '']) => final),
  );
  const names = new Set(finals.map((final) => isoFinals[final]));
  const [name] = names;
  return names.size === 1 && name !== undefined ? readCharset(name) : null;
}

/** Those in use before UTF-8, the most frequent first. */
const candidates = [
  ...[
    'windows-1252',
    'windows-1250',
    'windows-1251',
    'iso-8859-2',
    'windows-1254',
    'windows-1257',
    'windows-1253',
  ],
  ...[
    'iso-8859-5',
    'iso-8859-7',
    'iso-8859-13',
    'iso-8859-15',
    'koi8-u',
    'ibm866',
    'macintosh',
    'x-mac-cyrillic',
  ],
  ...[
    'windows-1255',
    'windows-1256',
    'windows-1258',
    'windows-874',
    'shift_jis',
    'euc-jp',
    'gb18030',
    'big5',
    'euc-kr',
  ],
];

/** The encodings in which most texts also stand in XMP; none where no text does. */
function recogniseByXmp(texts: readonly IptcText[], xmp: readonly string[]): readonly Charset[] {
  const evidence = new Set(xmp.filter((text) => /[^\0-\x7f]/.test(text)).map(keywordKey));
  if (evidence.size === 0) return [];
  const matches = candidates.map((name) => {
    const charset = readCharset(name);
    const decoded = texts.map(({ bytes }) => charset.decode(bytes));
    const count = decoded.filter((text) => text !== null && evidence.has(keywordKey(text))).length;
    return { charset, count: decoded.includes(null) ? 0 : count };
  });
  const most = Math.max(...matches.map(({ count }) => count));
  return most === 0 ? [] : matches.filter(({ count }) => count === most).map(({ charset }) => charset);
}

function readCharset(name: string): Charset {
  if (name === 'windows-1252') return windows1252;
  const decode = (bytes: Uint8Array) => {
    try {
      return new TextDecoder(name, { fatal: true }).decode(bytes);
    } catch {
      return null;
    }
  };
  const letters = Array.from({ length: 256 }, (_, byte) => decode(Uint8Array.of(byte)));
  return { decode, encode: (text) => encodeBytes(text, letters) };
}

function encodeBytes(text: string, letters: readonly (string | null)[]): Buffer | null {
  const bytes = [...text].map((character) => letters.indexOf(character));
  return bytes.includes(-1) ? null : Buffer.from(bytes);
}

const windows1252: Charset = {
  decode: decodeWindows1252,
  encode: (text) => encodeBytes(text, windows1252Characters),
};
