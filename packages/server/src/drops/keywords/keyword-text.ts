/** What the record of a keyword in IPTC IIM holds at most (IIM 4.2, dataset 2:25). */
export const maxKeywordBytes = 64;

/** Characters as they are seen, of whatever language; dear to make, and dear to list. */
const characters = new Intl.Segmenter();

/**
 * Accents that one character may have: no language has more, and to put thousands in order takes seconds (Unicode Annex 15,
 * stream-safe text).
 */
const endlessAccents = /(\p{M}{30})\p{M}+/gu;

/**
 * A keyword as it is written: composed (NFC), on one line, without control characters, marks that turn the direction of
 * writing, halves of characters, or towers of accents; single spaces, none at the ends. Empty when nothing is left.
 */
export function cleanKeyword(text: string): string {
  return text
    .replace(/[\p{Cs}\uFFFE\uFFFF\u202A-\u202E\u2066-\u2069]/gu, '')
    .replace(endlessAccents, '$1')
    .normalize('NFC')
    .replace(endlessAccents, '$1')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/**
 * The beginning of a clean keyword that has at most `maxKeywordBytes` in UTF-8: its whole words, or where they are less
 * than half of that, as many characters as have room.
 */
export function cutKeyword(text: string): string {
  if (Buffer.byteLength(text) <= maxKeywordBytes) return text;
  // No text has fewer bytes than code units, so what follows has no room; and to segment a whole book takes long.
  const start = text.slice(0, maxKeywordBytes + 2);
  const fitted = fitting([...start]);
  const end = characters.segment(start).containing(fitted.length)?.index ?? fitted.length;
  // A single character may be larger than all of it: a letter with a tower of accents.
  const head = end === 0 ? fitted : fitted.slice(0, end);
  const words = text.startsWith(' ', head.length) ? head : head.slice(0, Math.max(0, head.lastIndexOf(' ')));
  return (Buffer.byteLength(words) * 2 >= maxKeywordBytes ? words : head).trim();
}

/** Two keywords with the same key are one: case does not tell them apart, nor how an accent is encoded. */
export function keywordKey(text: string): string {
  return cleanKeyword(text.toLowerCase());
}

function fitting(pieces: readonly string[]): string {
  let bytes = 0;
  let end = 0;
  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece);
    if (bytes > maxKeywordBytes) break;
    end += piece.length;
  }
  return pieces.join('').slice(0, end);
}
