import { DeliveryError } from './destination.js';
import type { OutgoingFile } from './outgoing-file.js';

/** The limit of most file systems. */
const maxNameBytes = 255;

/**
 * The name of a file until it is complete. It is the same at every attempt of its delivery, so that the next attempt overwrites the
 * rest of an interrupted one.
 */
export function temporaryName({ name, deliveryId }: OutgoingFile): string {
  const tail = `.${deliveryId.slice(0, 8)}.part`;
  return `.${cutBytes(name, maxNameBytes - tail.length - 1)}${tail}`;
}

/**
 * The names of a delivery's files at its n-th try: unchanged, then `IMG_1 (2).jpg`. All get the same number, because the name of a
 * sidecar must match its image, as `IMG_1.xmp` or as `IMG_1.jpg.xmp`.
 */
export function numberNames(names: readonly string[], number: number): readonly string[] {
  if (number === 1) return names;
  const stem = stemOf(names.at(-1) ?? '');
  const mark = ` (${number})`;
  return names.map((name) => {
    const own = name.startsWith(`${stem}.`) ? stem : stemOf(name);
    const rest = name.slice(own.length);
    return `${cutBytes(own, maxNameBytes - Buffer.byteLength(rest) - mark.length)}${mark}${rest}`;
  });
}

/** The numbers in use for a file in a folder, 2 and above, ascending. */
export function findNumbers(name: string, present: readonly string[]): readonly number[] {
  const stem = stemOf(name).toLowerCase();
  const ending = name.slice(stemOf(name).length).toLowerCase();
  const numbers = present.flatMap((other) => {
    const match = /^(.*) \(([1-9]\d{0,5})\)$/su.exec(stemOf(other));
    const isAlike =
      match?.[1] !== undefined &&
      stem.startsWith(match[1].toLowerCase()) &&
      other.toLowerCase().endsWith(ending);
    return isAlike ? [Number(match[2])] : [];
  });
  return [...new Set(numbers)].filter((number) => number > 1).sort((a, b) => a - b);
}

/** Throws `settings` for an invalid name, or one that could lead out of its folder. */
export function checkNames(names: readonly string[]): void {
  for (const name of names) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters.
    if (name === '' || name === '.' || name === '..' || /[/\\\u0000-\u001f\u007f]/.test(name)) {
      throw new DeliveryError(
        'settings',
        'a name of the delivery is empty, leads out of its folder, or has control characters',
      );
    }
    if (Buffer.byteLength(name) > maxNameBytes) {
      throw new DeliveryError(
        'settings',
        `a name of the delivery is longer than ${maxNameBytes} bytes; shorten the path template`,
      );
    }
  }
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** Names that Windows reserves for devices, with any extension. */
const reserved = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/iu;

/** Most file systems limit a name to 255 bytes; the rest is for numbers, extensions and temporary names. */
const maxPartBytes = 120;

/**
 * Converts a text into one segment of a path that every file system and object store accepts: no separators, control or invisible
 * characters, no dots or spaces at its ends, no name of a Windows device, 1 to 120 bytes of UTF-8 in NFC. A safe name is unchanged.
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
  return text.replace(/^[. ]+|(?<![. ])[. ]+$/g, '');
}

/** The longest prefix of whole characters with at most this many bytes of UTF-8. */
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
