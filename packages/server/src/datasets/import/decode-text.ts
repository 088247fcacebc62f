/** What was decoded, and in which encoding when that is a guess. */
export interface DecodedText {
  readonly text: string;
  readonly guess: string | null;
}

const utf8 = 'utf-8';
/** Of Windows in western Europe: each byte is a character of its own, so that different names stay different. */
const legacy = 'windows-1252';

/**
 * Decodes a file piece by piece: by its byte order mark, else by the encoding that an XML file declares, else as UTF-8. What is not
 * in that encoding is read as Windows-1252, and `guess` says so afterwards.
 */
export class TextPieces {
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  #encoding = utf8;
  #guess: string | null = null;
  /** Of a character that is cut by the end of a piece. */
  #pending: Uint8Array = new Uint8Array();
  #isLenient = false;

  get guess(): string | null {
    return this.#guess;
  }

  push(piece: Uint8Array): string {
    if (this.#decoder) return this.#decode(piece, true);
    const { encoding, isKnown } = encodingOf(piece);
    this.#open(encoding);
    if (!isKnown) this.#guess = encoding;
    return this.#decode(piece, true).replace(/^\ufeff/, '');
  }

  end(): string {
    return this.#decoder ? this.#decode(new Uint8Array(), false) : '';
  }

  #open(encoding: string): void {
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: !this.#isLenient, ignoreBOM: true });
  }

  #decode(piece: Uint8Array, stream: boolean): string {
    const bytes = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece]);
    // A decoder that has failed has lost what it held of a cut character: the bytes are cut between characters here.
    const whole = stream && this.#encoding === utf8 ? bytes.subarray(0, endOfCharacters(bytes)) : bytes;
    this.#pending = bytes.subarray(whole.length);
    try {
      return this.#decoder?.decode(whole, { stream: this.#encoding !== utf8 && stream }) ?? '';
    } catch {
      // UTF-16 with half a character is no text of single bytes.
      this.#isLenient = this.#encoding.startsWith('utf-16');
      this.#guess = this.#isLenient ? this.#encoding : legacy;
      this.#pending = new Uint8Array();
      this.#open(this.#guess);
      return this.#decoder?.decode(bytes) ?? '';
    }
  }
}

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
  const start = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*\bencoding=["']([\w.:-]+)["']/.exec(start)?.[1];
  if (declared === undefined || /^utf-?(8|16)/i.test(declared)) return known(utf8);
  try {
    return known(new TextDecoder(declared).encoding);
  } catch {
    return { encoding: legacy, isKnown: false };
  }
}
