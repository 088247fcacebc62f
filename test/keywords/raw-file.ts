import { exifDirectory, type Field, tiffHeader } from './exif-block.js';

/** What its sensor saw. */
export const mosaic: Buffer = Buffer.from(Array.from({ length: 128 }, (_, index) => (index * 31) % 256));

/**
 * A DNG of 8x8 pixels as its specification (1.4) lays them out: an embedded preview in the main directory and the mosaic of
 * the sensor below it. With `version: false` it is what some makers' raw files are: a TIFF that only the mosaic gives away.
 */
export function rawFile({
  preview,
  version = true,
  orientation = 6,
}: {
  readonly preview?: Buffer;
  readonly version?: boolean;
  readonly orientation?: number;
}): Buffer {
  const mainFields = (previewAt: number, mosaicAt: number): Field[] => [
    { tag: 0x00fe, longs: [1] },
    { tag: 0x0100, longs: [64] },
    { tag: 0x0101, longs: [40] },
    { tag: 0x0102, shorts: [8, 8, 8] },
    { tag: 0x0103, shorts: [7] },
    { tag: 0x0106, shorts: [6] },
    { tag: 0x010f, text: 'Ours' },
    { tag: 0x0110, text: 'A camera of ours' },
    ...(preview ? [{ tag: 0x0111, longs: [previewAt] }] : []),
    { tag: 0x0112, shorts: [orientation] },
    { tag: 0x0115, shorts: [3] },
    ...(preview ? [{ tag: 0x0117, longs: [preview.length] }] : []),
    { tag: 0x014a, longs: [mosaicAt] },
    ...(version ? [{ tag: 0xc612, octets: [1, 4, 0, 0] }] : []),
  ];
  const mosaicFields = (at: number): Field[] => [
    { tag: 0x00fe, longs: [0] },
    { tag: 0x0100, longs: [8] },
    { tag: 0x0101, longs: [8] },
    { tag: 0x0102, shorts: [16] },
    { tag: 0x0103, shorts: [1] },
    { tag: 0x0106, shorts: [32803] },
    { tag: 0x0111, longs: [at] },
    { tag: 0x0115, shorts: [1] },
    { tag: 0x0116, longs: [8] },
    { tag: 0x0117, longs: [mosaic.length] },
    { tag: 0x828d, shorts: [2, 2] },
  ];
  const mosaicDirectoryAt = 8 + exifDirectory(8, mainFields(0, 0)).length;
  const mosaicAt = mosaicDirectoryAt + exifDirectory(mosaicDirectoryAt, mosaicFields(0)).length;
  return Buffer.concat([
    tiffHeader,
    exifDirectory(8, mainFields(mosaicAt + mosaic.length, mosaicDirectoryAt)),
    exifDirectory(mosaicDirectoryAt, mosaicFields(mosaicAt)),
    mosaic,
    preview ?? Buffer.alloc(0),
  ]);
}
