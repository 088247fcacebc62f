import { cutBytes } from '../destinations/paths/safe-name.js';

/** What a client can name, in bytes; a file that failed has `.txt` behind its name beside it. */
const maxBytes = 255 - '.txt'.length;

/** The n-th name of a file in `done/DAY/` and `failed/DAY/`: as it came, then `IMG_1 (2).jpg`. */
export function numberedName(name: string, number: number): string {
  const ending = /(?<=[^.])\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  const mark = number === 1 ? '' : ` (${number})`;
  const stem = name.slice(0, name.length - ending.length);
  return `${cutBytes(stem, maxBytes - ending.length - mark.length)}${mark}${ending}`;
}
