import { isUtf8 } from 'node:buffer';
import { decodeWindows1252, windows1252Characters } from '../../core/windows-1252.js';
import { keywordKey } from './keyword-text.js';

/** A text of IPTC as its bytes, and whether its block declares UTF-8. */
interface IptcText {
  readonly bytes: Uint8Array;
  readonly isMarkedUtf8: boolean;
}

/**
 * What a text reads as. `isGuess`: its encoding is unknown and Windows-1252 is assumed, or it is UTF-8 although another encoding is
 * declared.
 */
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
 * Determines the encoding of each text. Text that is valid as UTF-8 is UTF-8, whatever is declared: programs that write UTF-8 keep the
 * declarations of others. Other text has the encoding that is declared (IIM 4.2, dataset 1:90), or in which it agrees with the texts that
 * the same image has in XMP. Where a text is UTF-8, keywords are added as UTF-8, and the declaration stays for the texts that are not.
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
  const areAllUtf8 = areUtf8(texts);
  const isDeclared = declared.length > 0;
  if (!isDeclared && (foreign.length === 0 || areAllUtf8)) return utf8Encoding;
  if (foreign.length === 0) return { ...utf8Encoding, utf8Mark: 'if-needed' };
  const evidence = evidenceOf(xmp);
  const isUtf8Text = (text: IptcText) => areAllUtf8 || areUtf8([text]);
  const others = foreign.filter((text) => !isUtf8Text(text));
  const named = declaredCharset(declared, others);
  const charsets = named ? [named] : recogniseByXmp(others, evidence);
  const [charset = windows1252, ...alternatives] = charsets;
  const isKnown =
    charsets.length > 0 &&
    others.every(({ bytes }) => {
      const text = charset.decode(bytes);
      return text !== null && alternatives.every((other) => other.decode(bytes) === text);
    });
  const decode = (text: IptcText): DecodedText => {
    if (!isForeign(text)) return utf8Encoding.decode(text);
    if (!isUtf8Text(text)) {
      return { text: charset.decode(text.bytes) ?? decodeWindows1252(text.bytes), isGuess: !isKnown };
    }
    const decoded = decodeUtf8(text.bytes) ?? '';
    return { text: decoded, isGuess: isDeclared && !evidence.has(keywordKey(decoded)) };
  };
  if (others.length < foreign.length) return { ...utf8Encoding, utf8Mark: 'never', decode };
  const hasMark = texts.some(({ isMarkedUtf8 }) => isMarkedUtf8);
  return {
    utf8Mark: 'never',
    charset: 'Latin',
    decode,
    encode(keyword) {
      const bytes = charset.encode(keyword);
      if (bytes === null || alternatives.some((other) => !other.encode(keyword)?.equals(bytes))) return null;
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
 * Whether texts are UTF-8: text in another encoding is hardly ever valid as UTF-8. Programs cut a text at the number of bytes that IPTC has for it, and
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

/** Windows has letters where ISO 8859 has control characters, and programs declare the ISO part for it: exiftool's Latin2 is Windows-1250. */
const windowsTwins: Readonly<Record<string, string>> = {
  'iso-8859-2': 'windows-1250',
  'iso-8859-5': 'windows-1251',
  'iso-8859-6': 'windows-1256',
  'iso-8859-7': 'windows-1253',
  'iso-8859-8': 'windows-1255',
  'iso-8859-13': 'windows-1257',
  'iso-8859-15': 'windows-1252',
};

/**
 * Null where 1:90 says nothing, or nothing that is known, or blocks of IPTC say different things, or where the texts have control
 * characters in what it says.
 */
function declaredCharset(declared: readonly string[], texts: readonly IptcText[]): Charset | null {
  const finals = declared.flatMap((value) =>
    [...value.matchAll(/ESC [,\-./] (\S)/g)].map(([, final = '']) => final),
  );
  const names = new Set(finals.map((final) => isoFinals[final]));
  const [name] = names;
  if (names.size !== 1 || name === undefined) return null;
  const charset = readCharset(name);
  if (!name.startsWith('iso-') || !texts.some(({ bytes }) => hasControls(bytes))) return charset;
  const twin = windowsTwins[name];
  if (twin === undefined) return null;
  const ofWindows = readCharset(twin);
  // Where it turns letters into signs, only some of the texts were meant for it.
  const isMeant = texts.every(({ bytes }) => countLetters(ofWindows, bytes) >= countLetters(charset, bytes));
  return isMeant ? ofWindows : null;
}

function countLetters(charset: Charset, bytes: Uint8Array): number {
  return charset.decode(bytes)?.match(/\p{L}/gu)?.length ?? 0;
}

function hasControls(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte >= 0x80 && byte < 0xa0);
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

/** Keys of the texts of XMP that are not ASCII. */
function evidenceOf(xmp: readonly string[]): ReadonlySet<string> {
  return new Set(xmp.filter((text) => /[^\0-\x7f]/.test(text)).map(keywordKey));
}

/** The encodings in which most texts also stand in XMP; none where no text does. */
function recogniseByXmp(texts: readonly IptcText[], evidence: ReadonlySet<string>): readonly Charset[] {
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
