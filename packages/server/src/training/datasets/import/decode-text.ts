import { decodeWindows1252 } from '../../../core/windows-1252.js';

const utf8 = 'utf-8';
/** Of Windows in western Europe: each byte is a character of its own, so that different names stay different. */
const legacy = 'windows-1252';
/** The declaration of an XML file is within so many bytes. */
const headBytes = 200;

type Decode = (piece: Uint8Array, isLast: boolean) => string;

/**
 * Decodes a file piece by piece: by its byte order mark, else by the encoding that an XML file declares, else as UTF-8. In UTF-8,
 * each byte that is part of no character is read as Windows-1252, and the characters around it are as they would be without it.
 * Where that happened, or the encoding could not be known, `guess` is the encoding that was assumed.
 */
export class TextPieces {
  #decode: Decode | null = null;
  #guess: string | null = null;
  /** The first bytes, until there are enough to know the encoding. */
  #head: Uint8Array = new Uint8Array();

  get guess(): string | null {
    return this.#guess;
  }

  push(piece: Uint8Array): string {
    if (this.#decode) return this.#decode(piece, false);
    this.#head = this.#head.length === 0 ? piece : Buffer.concat([this.#head, piece]);
    return this.#head.length < headBytes ? '' : this.#start(false);
  }

  end(): string {
    return this.#decode ? this.#decode(new Uint8Array(), true) : this.#start(true);
  }

  #start(isLast: boolean): string {
    const { encoding, isKnown } = encodingOf(this.#head);
    if (!isKnown) this.#guess = encoding;
    const onFault = (assumed: string) => {
      this.#guess ??= assumed;
    };
    this.#decode = encoding === utf8 ? utf8Decoder(onFault) : otherDecoder(encoding, onFault);
    const text = this.#decode(this.#head, isLast).replace(/^\ufeff/, '');
    this.#head = new Uint8Array();
    return text;
  }
}

function otherDecoder(encoding: string, onFault: (assumed: string) => void): Decode {
  // The decoder of some versions of Node reads it as Latin-1.
  if (encoding === legacy) return decodeWindows1252;
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  return (piece, isLast) => {
    const text = decoder.decode(piece, { stream: !isLast });
    if (text.includes('\ufffd')) onFault(encoding);
    return text;
  };
}

function utf8Decoder(onFault: (assumed: string) => void): Decode {
  const decoder = new TextDecoder(utf8, { fatal: true, ignoreBOM: true });
  /** Of a character that is cut by the end of a piece. */
  let pending: Uint8Array = new Uint8Array();
  return (piece, isLast) => {
    const bytes = pending.length === 0 ? piece : Buffer.concat([pending, piece]);
    const whole = isLast ? bytes : bytes.subarray(0, endOfCharacters(bytes));
    pending = bytes.subarray(whole.length);
    try {
      return decoder.decode(whole);
    } catch {
      onFault(legacy);
      return decodeMixed(whole, decoder);
    }
  };
}

/** UTF-8, and as Windows-1252 those bytes that are part of none of its characters. */
function decodeMixed(bytes: Uint8Array, decoder: InstanceType<typeof TextDecoder>): string {
  const texts: string[] = [];
  let [from, at] = [0, 0];
  while (at < bytes.length) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    texts.push(decoder.decode(bytes.subarray(from, at)), decodeWindows1252(bytes.subarray(at, at + 1)));
    at += 1;
    from = at;
  }
  texts.push(decoder.decode(bytes.subarray(from)));
  return texts.join('');
}

/** Bytes of the character of UTF-8 that begins at a position; 0 where none does (Unicode, table 3-7). */
function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const second = bytes[at + 1] ?? 0;
  const [min, max] = secondBytes[first] ?? [0x80, 0xbf];
  if (length === 0 || second < min || second > max) return 0;
  for (let back = 2; back < length; back += 1) {
    if (((bytes[at + back] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

/** Of first bytes behind which fewer second ones are possible: no character has two forms, is a surrogate, or is above U+10FFFF. */
const secondBytes: Readonly<Record<number, readonly [min: number, max: number]>> = {
  224: [0xa0, 0xbf],
  237: [0x80, 0x9f],
  240: [0x90, 0xbf],
  244: [0x80, 0x8f],
};

/** Before a character of UTF-8 of which bytes are missing at the end. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function encodingOf(bytes: Uint8Array): { readonly encoding: string; readonly isKnown: boolean } {
  const [first, second, third, fourth] = bytes;
  const known = (encoding: string) => ({ encoding, isKnown: true });
  if (first === 0xff && second === 0xfe) return known('utf-16le');
  if (first === 0xfe && second === 0xff) return known('utf-16be');
  // The first characters of all these files are of ASCII.
  if (first !== 0 && second === 0 && third !== 0 && fourth === 0) return known('utf-16le');
  if (first === 0 && second !== 0 && third === 0 && fourth !== 0) return known('utf-16be');
  const start = Buffer.from(bytes.subarray(0, headBytes)).toString('latin1');
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*\bencoding=["']([\w.:-]+)["']/.exec(start)?.[1];
  if (declared === undefined || /^utf-?(8|16)/i.test(declared)) return known(utf8);
  try {
    return known(new TextDecoder(declared).encoding);
  } catch {
    return { encoding: legacy, isKnown: false };
  }
}
