import { EngineError } from '../../errors.js';
import type { ImageLimits } from '../image.js';

/**
 * What an accepted image may consist of, by format. Above a bound it is refused before a decoder sees it: a few bytes of such
 * structure cost a decoder as much as an image. Each is several times what cameras and programs write.
 */
export const bounds = {
  /** Marker segments of a JPEG between its start and its end. Extended XMP and thermal images have some hundred. */
  jpegSegments: 4000,
  /** mozjpeg and Photoshop write 10 to 20 scans, hand-made scripts up to 100. */
  jpegScans: 1000,
  /** Scans x pixels: each scan of a progressive image passes over all of them. 50 scans of the largest image. */
  jpegScanPixels: 3_200_000_000,
  /** Share of `maxPixels` that an image in CMYK may have: its colours are converted by tables, at three times the cost of decoding. */
  cmykShare: 0.5,
  /** Bytes of a colour profile, inflated; a larger one is left out. Profiles of printing presses have 2 to 3 MiB. */
  profileBytes: 4 * 2 ** 20,
  /** Bytes of Exif, which in a JPEG is one segment; more is left out. */
  exifBytes: 65_536,
  /** Directories of Exif that its entries lead to; cameras write four. */
  exifDirectories: 16,
  /** Compressed bytes of a PNG beyond those that its pixels can need. */
  pngSpareBytes: 65_536,
  /** Chunks of a PNG that hold pixels. The usual size is 8 KiB or more, the smallest in use 1 KiB. */
  pngPixelChunks: 200_000,
  /** Chunks of a WebP, in a frame too. */
  webpChunks: 1000,
  /** Extensions and comments of a GIF before its first frame. */
  gifBlocks: 10_000,
  /** Entries of the first directory of a TIFF. */
  tiffEntries: 1000,
  /** Bytes of the values of one entry, and of all entries of metadata. The longest list that decides pixels, 65,536 offsets, has half of it. */
  tiffValueBytes: 2 ** 20,
  /** Strips or tiles of a TIFF. */
  tiffParts: 65_536,
  /** Pixels of all tiles of a TIFF, as a multiple of the largest image: those at the right and lower edge are whole tiles too. */
  tiffTiledPixels: 2,
  /** Pixels of tiles that are accepted however small the largest image is: four of the largest tiles in use, 1024 x 1024. */
  tiffUsualTiles: 4_194_304,
  /** Bytes of the decoded samples of a PNG or TIFF for each pixel of the largest image: 6 are three channels of 16 bit. */
  sampleBytesPerPixel: 6,
  /** Boxes of an AVIF or HEIC, at any depth. A phone's image of 48 megapixels has about 1000. */
  isoBoxes: 10_000,
  isoDepth: 10,
  /** References from items to items. The largest image in tiles of 256 x 256 has 1000. */
  isoReferences: 4000,
  /** Numbers in the tables of items: a phone's image has about 5000. */
  isoNumbers: 100_000,
  /** Pixels of all images that one image is composed of, or of all frames of one item, as a multiple of the largest image. */
  isoComposedImages: 2,
  /** Coded frames in the data of one item: AVIF allows 4 layers. */
  isoFrames: 16,
} as const;

/** Refuses an image by the bytes of its decoded samples, before colours are converted. */
export function checkSampleBytes(format: string, bytes: number, { maxPixels }: ImageLimits): void {
  const most = maxPixels * bounds.sampleBytesPerPixel;
  if (bytes > most) throw refuseAbove(format, 'bytes of pixels', most);
}

/** Refuses an image in CMYK by its size. */
export function checkCmyk(width: number, height: number, { maxPixels }: ImageLimits): void {
  const most = Math.floor(maxPixels * bounds.cmykShare);
  if (width * height <= most) return;
  throw new EngineError(
    'image-too-large',
    `the image has too many pixels: ${width}x${height} are ${width * height}, and at most ${most} are accepted in CMYK; save it as RGB`,
  );
}

/** Refuses an image by a bound; `part` is what there is too much of, such as `scans`. */
export function refuseAbove(format: string, part: string, limit: number): EngineError {
  return new EngineError(
    'image-too-complex',
    `the ${format} image has more than ${limit} ${part}, the limit: save it again with another program`,
  );
}
