const dataUrl = /^\s*data:[^,]*;base64\s*,/i;
/** What may stand before the comma; more than this is no image. */
const maxDataPrefixBytes = 256;

/**
 * Bytes of text that are decoded at once, a multiple of four. As one string an image would be a large object of the
 * garbage collector's, whose like cost several times more than the decoding.
 */
const pieceBytes = 48 * 1024;

/**
 * Decodes base64 as clients send it: either alphabet (RFC 4648 sections 4 and 5), with or without padding, with
 * white space anywhere, with or without a leading `data:…;base64,`; plus signs may have become spaces. Undefined for anything else.
 * Takes time in proportion to the text.
 */
export function decodeBase64(text: Uint8Array): Buffer | undefined {
  const whole = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const prefix = dataUrl.exec(whole.toString('latin1', 0, maxDataPrefixBytes))?.[0].length ?? 0;
  const body = whole.subarray(prefix);
  const bytes = decodePacked(body);
  if (bytes !== undefined) return bytes;
  const scan = new Base64Spaces();
  scan.push(body);
  return decodePacked(packBase64(body, scan.arePluses()));
}

/** Whether base64 can have so many characters, of which so many are padding. */
function isPossibleLength(length: number, padding: number): boolean {
  // Padding may be left out, but where it stands it completes the last four.
  return (length - padding) % 4 !== 1 && (padding === 0 || length % 4 === 0);
}

function decodePacked(body: Buffer): Buffer | undefined {
  const padding = body.at(-1) !== 0x3d ? 0 : body.at(-2) !== 0x3d ? 1 : 2;
  const digits = body.length - padding;
  if (!isPossibleLength(body.length, padding)) return undefined;
  const size = Math.floor((digits * 3) / 4);
  const bytes = Buffer.allocUnsafe(size);
  let written = 0;
  for (let at = 0; at < body.length; at += pieceBytes) {
    written += bytes.write(body.toString('latin1', at, at + pieceBytes), written, 'base64');
  }
  // Node passes over what is not base64, so a full count of bytes says that every character was.
  return written === size ? bytes : undefined;
}

/** The text without white space; `withPluses`: with a plus sign for each space between its characters. */
function packBase64(text: Uint8Array, withPluses: boolean): Buffer {
  let [from, to] = [0, text.length];
  while (from < to && isWhite(text[from] ?? 0)) from += 1;
  while (to > from && isWhite(text[to - 1] ?? 0)) to -= 1;
  const packed = Buffer.allocUnsafe(to - from);
  let length = 0;
  for (const byte of text.subarray(from, to)) {
    if (isWhite(byte) && !(withPluses && byte === space)) continue;
    packed[length] = byte === space ? plus : byte;
    length += 1;
  }
  return packed.subarray(0, length);
}

const [space, plus, padding] = [0x20, 0x2b, 0x3d];

function isWhite(byte: number): boolean {
  return byte === space || (byte >= 0x09 && byte <= 0x0d);
}

/**
 * Whether the spaces in a base64 text, given in pieces, were plus signs, which a decoder of forms turned into them: the text then has no plus
 * sign, and a possible length together with its spaces. Spaces beside line ends are indentation, and those at equal distances separate
 * lines, where the text has a possible length without them.
 */
export class Base64Spaces {
  #characters = 0;
  #padding = 0;
  /** Of the spaces: those between characters, the others up to the next character, and distances. */
  #spaces = 0;
  #open = 0;
  #gap = 0;
  #firstGap = -1;
  #areEqual = true;
  #isOther = false;
  #last = 0;

  push(piece: Uint8Array): void {
    for (const byte of piece) {
      if (byte === space) {
        if (isWhite(this.#last) && this.#last !== space) this.#isOther ||= this.#characters > 0;
        this.#open += 1;
      } else if (isWhite(byte)) this.#isOther ||= byte === 0x09 || (this.#open > 0 && this.#characters > 0);
      else this.#pushCharacter(byte);
      this.#last = byte;
    }
  }

  #pushCharacter(byte: number): void {
    // Those before the first character, and behind the last one, separate nothing.
    if (this.#characters > 0 && this.#open > 0) {
      if (this.#firstGap < 0) this.#firstGap = this.#gap;
      this.#areEqual &&= this.#open === 1 && this.#gap === this.#firstGap;
      this.#spaces += this.#open;
      this.#gap = 0;
    }
    this.#open = 0;
    if (byte === plus || byte === 0x2d || byte === 0x5f) this.#isOther = true;
    if (byte === padding) this.#padding += 1;
    this.#characters += 1;
    this.#gap += 1;
  }

  arePluses(): boolean {
    if (this.#isOther || this.#spaces === 0) return false;
    if (!isPossibleLength(this.#characters + this.#spaces, this.#padding)) return false;
    return !this.#areEqual || !isPossibleLength(this.#characters, this.#padding);
  }
}
