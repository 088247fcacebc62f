import { DeliveryError } from './destination.js';
import type { OutgoingFile } from './outgoing-file.js';

/** Most file systems, in bytes. */
const maxNameBytes = 255;

/**
 * What a file is called until all of it is there. The same at every attempt of its parcel, so that what is left of one is
 * written over by the next.
 */
export function temporaryName({ name, deliveryId }: OutgoingFile): string {
  const tail = `.${deliveryId.slice(0, 8)}.part`;
  return `.${cutBytes(name, maxNameBytes - tail.length - 1)}${tail}`;
}

/**
 * The names of a parcel's files at its n-th try: as they are, then `IMG_1 (2).jpg`. All get the same number, for a sidecar
 * must be called like its image, whether that is `IMG_1.xmp` or `IMG_1.jpg.xmp`.
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

/** Which numbers a folder's names hold of a file, 2 and above, ascending. */
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

/** Throws `settings` for a name that could lead out of its folder, or be no name. */
export function checkNames(names: readonly string[]): void {
  for (const name of names) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    if (name === '' || name === '.' || name === '..' || /[/\\\u0000-\u001f\u007f]/.test(name)) {
      throw new DeliveryError(
        'settings',
        'a name of the parcel is empty, a way out of its folder, or has control characters',
      );
    }
    if (Buffer.byteLength(name) > maxNameBytes) {
      throw new DeliveryError(
        'settings',
        `a name of the parcel is longer than ${maxNameBytes} bytes; shorten the path template`,
      );
    }
  }
}

function stemOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

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
