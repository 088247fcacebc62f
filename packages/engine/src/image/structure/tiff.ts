import { EngineError } from '../../errors.js';
import type { ImageLimits } from '../image.js';
import { checkPixels } from '../pixels.js';
import { bounds, checkCmyk, checkSampleBytes, refuseAbove } from './bounds.js';
import { isRawTiff } from './raw-tiff.js';
import {
  firstDirectoryAt,
  keepEntries,
  nextDirectoryAt,
  openTiff,
  readDirectory,
  type TiffDirectory,
} from './tiff-directory.js';

const tags = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samples: 277,
  planes: 284,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  extraSamples: 338,
  sampleFormat: 339,
  profile: 34675,
} as const;

/**
 * Entries that decide the pixels: resolution, the forms of fax, predictor, palette, inks, the range of samples, JPEG and YCbCr among
 * them. All others, such as texts, are metadata.
 */
const pixelTags = new Set<number>([
  ...Object.values(tags),
  ...[254, 255, 263, 264, 265, 266, 274, 278, 279, 280, 281, 282, 283, 290, 291, 292, 293, 296],
  ...[301, 317, 318, 319, 320, 325, 326, 327, 328, 332, 334, 336, 340, 341, 347],
  ...[512, 513, 514, 515, 517, 518, 519, 520, 521, 529, 530, 531, 532],
]);

/** None, fax, LZW, JPEG, deflate, PackBits and WebP: what libvips' libtiff is built with. */
const compressions = new Set([1, 2, 3, 4, 5, 7, 8, 32771, 32773, 32946, 50001]);
const compressionNames: Readonly<Record<number, string>> = {
  6: 'old-style JPEG',
  34712: 'JPEG 2000',
  34887: 'LERC',
  34925: 'LZMA',
  50000: 'Zstandard',
  50002: 'JPEG XL',
  52546: 'JPEG XL',
};
/** Grey, RGB, palette, CMYK and YCbCr. */
const cmyk = 5;
const colours = new Set([0, 1, 2, 3, cmyk, 6]);
/** IEEE floating point, and complex numbers. */
const floats = new Set([3, 5, 6]);
const colourNames: Readonly<Record<number, string>> = {
  4: 'a mask',
  8: 'CIELAB colours',
  9: 'ICC LAB colours',
  10: 'ITU LAB colours',
  32844: 'LogL',
  32845: 'LogLuv colours',
};

/**
 * The first image of a TIFF, without the directories behind it, of which the decoder would read all, and without a profile and other
 * metadata above their bounds: libtiff copies the text of each entry, and thousands of entries may share one. Refuses raw files,
 * and what libvips cannot decode, by its name.
 */
export function neededOfTiff(bytes: Buffer, limits: ImageLimits): Buffer {
  if (isRawTiff(bytes)) {
    throw new EngineError(
      'image-unsupported',
      'the file is a raw file of a camera: send its JPEG, or use a drop',
    );
  }
  const file = openTiff(bytes);
  const at = firstDirectoryAt(file) ?? -1;
  const directory = readDirectory(file, at, bounds.tiffEntries);
  if (!directory) return bytes;
  checkEncoding(directory);
  const [width, height] = [first(directory, tags.width), first(directory, tags.height)];
  if (width !== undefined && height !== undefined) checkPixels(width, height, limits);
  checkSize(directory, limits);
  const isAlone = nextDirectoryAt(file, directory) === undefined;
  const isLarge = directory.valueBytes > bounds.tiffValueBytes;
  if (isAlone && !isLarge) return bytes;
  const single = Buffer.from(bytes);
  if (directory.nextAt !== undefined)
    single.fill(0, directory.nextAt, directory.nextAt + (file.isBig ? 8 : 4));
  if (isLarge) keepEntries({ ...file, bytes: single }, at, isOfPixels);
  return single;
}

/** Whether what is behind the colours of the first image has no meaning (ExtraSamples 0), and is therefore no alpha. */
export function hasUnspecifiedSamples(bytes: Uint8Array): boolean {
  const file = openTiff(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const directory = readDirectory(file, firstDirectoryAt(file) ?? -1, bounds.tiffEntries);
  return directory !== undefined && first(directory, tags.extraSamples) === 0;
}

function isOfPixels(tag: number, valueBytes: number): boolean {
  return (
    pixelTags.has(tag) && valueBytes <= (tag === tags.profile ? bounds.profileBytes : bounds.tiffValueBytes)
  );
}

function checkEncoding(directory: TiffDirectory): void {
  const compression = first(directory, tags.compression) ?? 1;
  const photometric = first(directory, tags.photometric) ?? 1;
  const format = first(directory, tags.sampleFormat) ?? 1;
  const isInPlanes = first(directory, tags.planes) === 2 && (first(directory, tags.samples) ?? 1) > 1;
  const problem = !compressions.has(compression)
    ? `is compressed by ${compressionNames[compression] ?? `method ${compression}`}`
    : !colours.has(photometric)
      ? `has ${colourNames[photometric] ?? `colours of kind ${photometric}`}`
      : floats.has(format)
        ? // Programs write them from 0 to 1, from 0 to 255 and beyond: nothing says which value is white.
          'has floating-point samples'
        : isInPlanes && directory.entries.has(tags.tileWidth)
          ? 'has tiles of single colours (PlanarConfiguration 2)'
          : undefined;
  if (problem === undefined) return;
  throw new EngineError(
    'image-unsupported',
    `the TIFF image ${problem}, which is not supported; save it as RGB of 8 or 16 bits with LZW, or as PNG`,
  );
}

function checkSize(directory: TiffDirectory, limits: ImageLimits): void {
  if (directory.entryCount > bounds.tiffEntries) throw refuseAbove('TIFF', 'entries', bounds.tiffEntries);
  const parts = Math.max(
    directory.entries.get(tags.stripOffsets)?.count ?? 0,
    directory.entries.get(tags.tileOffsets)?.count ?? 0,
  );
  if (parts > bounds.tiffParts) throw refuseAbove('TIFF', 'strips or tiles', bounds.tiffParts);
  const [width = 0, height = 0] = [first(directory, tags.width), first(directory, tags.height)];
  if (first(directory, tags.photometric) === cmyk) checkCmyk(width, height, limits);
  const samples = first(directory, tags.samples) ?? 1;
  const bits = Math.max(1, ...(directory.entries.get(tags.bits)?.numbers ?? []));
  checkSampleBytes('TIFF', (width * height * samples * bits) / 8, limits);
  const [tileWidth, tileHeight] = [first(directory, tags.tileWidth), first(directory, tags.tileHeight)];
  if (tileWidth === undefined || tileHeight === undefined) return;
  // Each tile is decoded as a whole, also where only a part of it is in the image.
  const padded = (length: number, tile: number) => Math.ceil(length / Math.max(1, tile)) * tile;
  const tiled = padded(width, tileWidth) * padded(height, tileHeight);
  const most = Math.max(limits.maxPixels * bounds.tiffTiledPixels, bounds.tiffUsualTiles);
  if (tiled > most) throw refuseAbove('TIFF', 'pixels in its tiles', most);
  checkSampleBytes('TIFF', (tiled * samples * bits) / 8, { maxPixels: most });
}

function first({ entries }: TiffDirectory, tag: number): number | undefined {
  return entries.get(tag)?.numbers[0];
}
