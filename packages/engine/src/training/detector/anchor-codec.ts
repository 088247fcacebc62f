import { halfToNumber } from '../../onnx/import/half-float.js';
import type { ImageAnchors } from './anchor-sample.js';

/** Anchors of an image as bytes: boxes in single precision, then the features in half precision, level by level. */
export function encodeAnchors({ levels, corners }: ImageAnchors): Uint8Array {
  const halves = levels.map(toHalves);
  const parts = [corners, ...halves].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  return Buffer.concat(parts);
}

/** Length of what `encodeAnchors` gives. @param lengths Features of each level. */
export function anchorBytes(anchors: number, lengths: readonly number[]): number {
  return anchors * 16 + lengths.reduce((sum, length) => sum + length, 0) * 2;
}

/** The inverse; undefined where the number of bytes does not fit the shape. */
export function decodeAnchors(
  bytes: Uint8Array,
  anchors: number,
  lengths: readonly number[],
): ImageAnchors | undefined {
  if (bytes.length !== anchorBytes(anchors, lengths)) return undefined;
  const total = (bytes.length - anchors * 16) / 2;
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const corners = new Float32Array(aligned.buffer, aligned.byteOffset, anchors * 4);
  const halves = new Uint16Array(aligned.buffer, aligned.byteOffset + anchors * 16, total);
  let at = 0;
  const levels = lengths.map((length) => {
    const level = new Float32Array(length);
    for (let index = 0; index < length; index++) level[index] = numbers[halves[at + index] ?? 0] ?? 0;
    at += length;
    return level;
  });
  return { levels, corners };
}

/** Every number of 16 bits. */
const numbers = Float32Array.from({ length: 65_536 }, (_, bits) => halfToNumber(bits));

/** Numbers of 0 to 65504, as features behind a rectifier are, rounded to the nearest. */
function toHalves(values: Float32Array): Uint16Array {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const halves = new Uint16Array(values.length);
  for (let index = 0; index < values.length; index++) {
    // Half to four fifths of them, by level.
    if (bits[index] === 0) continue;
    const exponent = ((bits[index] ?? 0) >>> 23) - 112;
    // Below the smallest normal half, 6e-5, steps are of 2^-24.
    halves[index] =
      exponent > 0
        ? ((bits[index] ?? 0) - (112 << 23) + 0x1000) >>> 13
        : Math.round(Math.max(0, values[index] ?? 0) * 2 ** 24);
  }
  return halves;
}
