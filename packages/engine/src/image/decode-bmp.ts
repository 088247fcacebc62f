import { type BmpHeader, damaged, rowStride, storedRow } from './bmp-header.js';
import { readIndices } from './bmp-indices.js';
import type { Pixels } from './pixels.js';

/**
 * Decodes a BMP whose header was read and whose size was checked: 1 to 32 bits, palettes, run lengths, bit fields.
 * Implemented here, because the available libraries decode odd widths, palettes or top-down images incorrectly.
 */
export function decodeBmp(bytes: Uint8Array, header: BmpHeader): Pixels {
  const { width, height, bitsPerPixel } = header;
  if (header.storage === 'plain') checkLength(bytes, header);
  const data =
    bitsPerPixel <= 8
      ? fromPalette(bytes, header)
      : bitsPerPixel === 24
        ? fromTriples(bytes, header)
        : fromMasks(bytes, header);
  return { data, width, height, channels: 3 };
}

function checkLength(bytes: Uint8Array, header: BmpHeader): void {
  const lastRowBytes = Math.ceil((header.width * header.bitsPerPixel) / 8);
  const needed = header.pixelsAt + rowStride(header) * (header.height - 1) + lastRowBytes;
  if (bytes.length < needed) throw damaged(`it has ${bytes.length} bytes of ${needed}`);
}

function fromPalette(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  const { at, entryBytes, entries } = header.palette;
  if (at + entries * entryBytes > bytes.length) throw damaged('its palette is cut short');
  const indices = readIndices(bytes, header);
  const rgb = new Uint8Array(indices.length * 3);
  for (let pixel = 0; pixel < indices.length; pixel += 1) {
    const index = indices[pixel] ?? 0;
    // An index beyond the palette is black, as in other decoders.
    if (index >= entries) continue;
    const entry = at + index * entryBytes;
    rgb[pixel * 3] = bytes[entry + 2] ?? 0;
    rgb[pixel * 3 + 1] = bytes[entry + 1] ?? 0;
    rgb[pixel * 3 + 2] = bytes[entry] ?? 0;
  }
  return rgb;
}

function fromTriples(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  const { width, height } = header;
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    let from = header.pixelsAt + storedRow(header, y) * rowStride(header);
    const end = (y + 1) * width * 3;
    for (let to = y * width * 3; to < end; to += 3, from += 3) {
      rgb[to] = bytes[from + 2] ?? 0;
      rgb[to + 1] = bytes[from + 1] ?? 0;
      rgb[to + 2] = bytes[from] ?? 0;
    }
  }
  return rgb;
}

function fromMasks(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  const { width, height, bitsPerPixel, masks } = header;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const pixelBytes = bitsPerPixel / 8;
  const read = (at: number) => (bitsPerPixel === 16 ? view.getUint16(at, true) : view.getUint32(at, true));
  const red = channelOf(masks.red);
  const green = channelOf(masks.green);
  const blue = channelOf(masks.blue);
  const alpha = channelOf(masks.alpha);
  const rgb = new Uint8Array(width * height * 3);
  // Many writers leave the alpha bits at zero, or next to it, and mean opaque.
  let seen = masks.alpha === 0;
  const paint = (withAlpha: boolean) => {
    for (let y = 0; y < height; y += 1) {
      const row = header.pixelsAt + storedRow(header, y) * rowStride(header);
      for (let x = 0; x < width; x += 1) {
        const value = read(row + x * pixelBytes);
        const cover = withAlpha ? alpha(value) / 255 : 1;
        if (cover > 1 / 255) seen = true;
        const to = (y * width + x) * 3;
        rgb[to] = over(red(value), cover);
        rgb[to + 1] = over(green(value), cover);
        rgb[to + 2] = over(blue(value), cover);
      }
    }
  };
  paint(masks.alpha !== 0);
  if (!seen) paint(false);
  return rgb;
}

/** Scales the bits under a mask to 0..255. */
function channelOf(mask: number): (value: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const max = mask >>> shift;
  return (value) => Math.round((((value & mask) >>> shift) * 255) / max);
}

function over(value: number, cover: number): number {
  return Math.round(value * cover + 255 * (1 - cover));
}
