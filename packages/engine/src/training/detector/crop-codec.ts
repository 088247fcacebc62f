/** A part of an image, and its features. */
export interface KeptCrop {
  /** xMin, yMin, xMax, yMax relative to the image. */
  readonly corners: Float32Array;
  readonly features: Float32Array;
}

/** Of one image, the newest: heads of other runs find other boxes. 12 kB each. */
const maxKept = 24;
const cornerCount = 4;

/** The number of features of a crop, then corners and features of each. All crops of an image are one entry, so that they go with it. */
export function writeKeptCrops(crops: readonly KeptCrop[]): Uint8Array {
  const kept = crops.slice(0, maxKept);
  const dims = kept[0]?.features.length ?? 0;
  const all = new Float32Array(1 + kept.length * (cornerCount + dims));
  all[0] = dims;
  for (const [index, { corners, features }] of kept.entries()) {
    const at = 1 + index * (cornerCount + dims);
    all.set(corners, at);
    all.set(features, at + cornerCount);
  }
  return new Uint8Array(all.buffer);
}

/** @returns none of bytes that were not written by `writeKeptCrops`. */
export function readKeptCrops(bytes: Uint8Array | undefined): KeptCrop[] {
  if (!bytes || bytes.length < 4 || bytes.length % 4 !== 0) return [];
  const all = new Float32Array(bytes.slice().buffer);
  const dims = all[0] ?? 0;
  const length = cornerCount + dims;
  if (!Number.isInteger(dims) || dims < 1 || (all.length - 1) % length !== 0) return [];
  return Array.from({ length: (all.length - 1) / length }, (_, index) => {
    const at = 1 + index * length;
    return {
      corners: all.subarray(at, at + cornerCount),
      features: all.subarray(at + cornerCount, at + length),
    };
  });
}
