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
 * white space anywhere, with or without a leading `data:…;base64,`. Undefined for anything else. Takes time in proportion to
 * the text.
 */
export function decodeBase64(text: Uint8Array): Buffer | undefined {
  const whole = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const prefix = dataUrl.exec(whole.toString('latin1', 0, maxDataPrefixBytes))?.[0].length ?? 0;
  const body = whole.subarray(prefix);
  const bytes = decodePacked(body);
  if (bytes !== undefined) return bytes;
  const packed = withoutSpaces(body);
  return packed.length < body.length ? decodePacked(packed) : undefined;
}

function decodePacked(body: Buffer): Buffer | undefined {
  const padding = body.at(-1) !== 0x3d ? 0 : body.at(-2) !== 0x3d ? 1 : 2;
  const digits = body.length - padding;
  // Padding may be left out, but where it stands it completes the last four.
  if (digits % 4 === 1 || (padding > 0 && body.length % 4 !== 0)) return undefined;
  const size = Math.floor((digits * 3) / 4);
  const bytes = Buffer.allocUnsafe(size);
  let written = 0;
  for (let at = 0; at < body.length; at += pieceBytes) {
    written += bytes.write(body.toString('latin1', at, at + pieceBytes), written, 'base64');
  }
  // Node passes over what is not base64, so a full count of bytes says that every character was.
  return written === size ? bytes : undefined;
}

function withoutSpaces(text: Buffer): Buffer {
  const packed = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    if (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)) continue;
    packed[length] = byte;
    length += 1;
  }
  return packed.subarray(0, length);
}
