/**
 * The characters of the bytes from 80 to 9F; the others are those of Latin-1. `TextDecoder` of Node 20 reads all of them as Latin-1. The
 * five that stand for nothing are kept as control characters.
 */
const upperControls = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** The character of each byte. */
export const windows1252Characters: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 && byte < 0xa0 ? (upperControls[byte - 0x80] ?? '') : String.fromCharCode(byte),
);

export function decodeWindows1252(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => windows1252Characters[byte]).join('');
}
