import { type BmpHeader, damaged, rowStride, storedRow } from './bmp-header.js';

/** The palette index of every pixel, rows from the top. */
export function readIndices(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  return header.storage === 'plain' ? unpackBits(bytes, header) : expandRuns(bytes, header);
}

function unpackBits(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  const { width, height, bitsPerPixel } = header;
  const indices = new Uint8Array(width * height);
  const perByte = 8 / bitsPerPixel;
  const mask = 2 ** bitsPerPixel - 1;
  for (let y = 0; y < height; y += 1) {
    const row = header.pixelsAt + storedRow(header, y) * rowStride(header);
    for (let x = 0; x < width; x += 1) {
      const byte = bytes[row + Math.floor(x / perByte)] ?? 0;
      indices[y * width + x] = (byte >> (8 - bitsPerPixel * ((x % perByte) + 1))) & mask;
    }
  }
  return indices;
}

/** Run lengths, RLE8 and RLE4; runs past an edge are truncated, and unset pixels have index 0. */
function expandRuns(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  const { width, height, storage } = header;
  const indices = new Uint8Array(width * height);
  let x = 0;
  let row = 0;
  let at = header.pixelsAt;
  const next = () => {
    const byte = bytes[at];
    if (byte === undefined) throw damaged('its pixels are cut short');
    at += 1;
    return byte;
  };
  /** Puts `count` pixels; those past the edge cost nothing. */
  const put = (count: number, indexOf: (nth: number) => number) => {
    const from = storedRow(header, row) * width;
    const seen = Math.min(count, width - x);
    for (let nth = 0; nth < seen; nth += 1) indices[from + x + nth] = indexOf(nth);
    x += count;
  };
  const pick = (byte: number, nth: number) =>
    storage === 'rle8' ? byte : nth % 2 === 0 ? byte >> 4 : byte & 0x0f;

  while (row < height) {
    const count = next();
    const value = next();
    if (count > 0) {
      put(count, (nth) => pick(value, nth));
    } else if (value === 0) {
      x = 0;
      row += 1;
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      x += next();
      row += next();
    } else {
      const packed = storage === 'rle8' ? value : Math.ceil(value / 2);
      const start = at;
      put(value, (nth) => pick(bytes[start + (storage === 'rle8' ? nth : nth >> 1)] ?? 0, nth));
      // Literal runs are padded to an even number of bytes.
      at = start + packed + (packed % 2);
      if (at > bytes.length) throw damaged('its pixels are cut short');
    }
  }
  return indices;
}
