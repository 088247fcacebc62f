import type { Pixels } from './pixel-data.js';

/** Alpha at which nothing of a colour is seen, of 255. */
const maxUnseen = 1;

/** Whether the alpha of every pixel is zero, or next to it. */
export function isAllTransparent({ data, channels }: Pixels): boolean {
  if (channels !== 4) return false;
  for (let at = 3; at < data.length; at += 4) {
    if ((data[at] ?? 0) > maxUnseen) return false;
  }
  return true;
}

/**
 * The colours of an image whose pixels are all transparent, as some programs write an alpha of zeros and mean an opaque image.
 * Undefined where any pixel is visible, or the colours are all the same.
 */
export function hiddenColours(pixels: Pixels): Pixels | undefined {
  if (!isAllTransparent(pixels) || isUniform(pixels.data)) return undefined;
  return withoutAlpha(pixels);
}

/** Drops the fourth channel, whatever is in it. */
export function withoutAlpha({ data, width, height }: Pixels): Pixels {
  const colours = new Uint8Array(width * height * 3);
  for (let from = 0, to = 0; to < colours.length; from += 4, to += 3) {
    colours[to] = data[from] ?? 0;
    colours[to + 1] = data[from + 1] ?? 0;
    colours[to + 2] = data[from + 2] ?? 0;
  }
  return { data: colours, width, height, channels: 3 };
}

function isUniform(data: Uint8Array): boolean {
  const [red, green, blue] = data;
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] !== red || data[at + 1] !== green || data[at + 2] !== blue) return false;
  }
  return true;
}
