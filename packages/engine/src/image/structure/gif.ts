import type { ImageLimits } from '../image.js';
import { checkPixels } from '../pixels.js';
import { bounds, refuseAbove } from './bounds.js';
import { joinRanges, type Range } from './ranges.js';

const extension = 0x21;
const graphicControl = 0xf9;
const image = 0x2c;
const trailer = 0x3b;

/** The first frame of a GIF (GIF89a): its palettes, transparency and pixels. The decoder would read all frames. */
export function neededOfGif(bytes: Buffer, limits: ImageLimits): Buffer {
  let at = 13 + paletteBytes(bytes[10] ?? 0);
  const ranges: Range[] = [{ from: 0, to: Math.min(at, bytes.length) }];
  let control: Range | undefined;
  for (let blocks = 0; at < bytes.length; blocks += 1) {
    if (blocks > bounds.gifBlocks)
      throw refuseAbove('GIF', 'extensions before its first frame', bounds.gifBlocks);
    const start = at;
    if (bytes[at] === extension) {
      at = afterSubBlocks(bytes, at + 2);
      if (bytes[start + 1] === graphicControl) control = { from: start, to: at };
    } else if (bytes[at] === image && at + 10 <= bytes.length) {
      // The frame may be larger than the canvas that the header declares.
      checkPixels(Math.max(1, bytes.readUInt16LE(at + 5)), Math.max(1, bytes.readUInt16LE(at + 7)), limits);
      at = afterSubBlocks(bytes, at + 10 + paletteBytes(bytes[at + 9] ?? 0) + 1);
      if (control) ranges.push(control);
      ranges.push({ from: start, to: at });
      break;
    } else break;
  }
  return Buffer.concat([joinRanges(bytes, ranges), Buffer.from([trailer])]);
}

function paletteBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Where the chain of sub-blocks ends that begins at `at`. */
function afterSubBlocks(bytes: Buffer, at: number): number {
  let next = at;
  for (;;) {
    const length = bytes[next];
    if (length === undefined) return bytes.length;
    next += 1 + length;
    if (length === 0) return next;
  }
}
