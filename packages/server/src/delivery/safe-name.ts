/** Names that Windows keeps for devices, with any ending. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/iu;

/** Most file systems have 255 bytes a name; the rest is for numbers, endings and passing names. */
export const maxPartBytes = 120;

/**
 * A text as one part of a path that every file system and object store takes: no separators, control or invisible characters,
 * no dots or spaces at its ends, no name of a Windows device, 1 to 120 bytes of UTF-8 in NFC. A safe name stays as it is.
 */
export function makeSafePart(text: string, maxBytes: number = maxPartBytes): string {
  const cleaned = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}\p{Cn}\p{Co}]/gu, '_')
    .replace(/[\p{Cf}\u2028\u2029]/gu, '')
    .replace(/[/\\:*?"<>|%{}]/g, '_')
    .replace(/\s+/gu, ' ');
  const whole = trimEnds(cleaned);
  const named = reserved.test(whole) ? `_${whole}` : whole;
  return trimEnds(cutBytes(named, maxBytes)) || '_';
}

function trimEnds(text: string): string {
  return text.replace(/^[. ]+|[. ]+$/g, '');
}

/** The longest beginning, in whole characters, that has so many bytes of UTF-8. */
export function cutBytes(text: string, maxBytes: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}
