import { readBmpHeader } from './bmp/bmp-header.js';
import { decodeBmp } from './bmp/decode-bmp.js';
import { type Box, clipBox } from './box.js';
import { decodeWithSharp } from './decode-sharp.js';
import { decodeHeic } from './heic/decode-heic.js';
import { identifyPicture } from './identify.js';
import type { Picture, PictureKind, PictureLimits, PictureSource, RasterRequest } from './picture.js';
import {
  checkPixels,
  type DecodedPicture,
  fromPixels,
  type Pixels,
  reducePixels,
  resampling,
} from './pixels.js';
import { readSource } from './source.js';

export interface OpenOptions {
  readonly limits: PictureLimits;
  /** The longer side, in pixels, to which the picture may be reduced without harm; 0: no detail is needed. */
  readonly detailPx: number;
}

/**
 * Decodes a picture once, reduced to what is needed; rasters are then taken out of that. Throws EngineError
 * 'picture-empty', 'picture-unsupported', 'picture-corrupt', 'picture-too-large' or 'base64-invalid'.
 */
export async function openPicture(source: PictureSource, options: OpenOptions): Promise<Picture> {
  const bytes = await readSource(source);
  const kind = identifyPicture(bytes);
  const { width, height, pixels } = await decode(kind, bytes, options);
  return { kind, width, height, raster: (request) => takeRaster(pixels, { width, height }, request) };
}

async function decode(kind: PictureKind, bytes: Uint8Array, options: OpenOptions): Promise<DecodedPicture> {
  const { limits, detailPx } = options;
  switch (kind) {
    case 'bmp': {
      const header = readBmpHeader(bytes);
      checkPixels(header.width, header.height, limits);
      return reducePixels(decodeBmp(bytes, header), detailPx);
    }
    case 'heic':
      return reducePixels(await decodeHeic(bytes, limits), detailPx);
    default:
      return decodeWithSharp(bytes, limits, detailPx);
  }
}

/** Cuts to whole pixels of the decoded copy: a region's edge moves by at most half of one. */
async function takeRaster(
  pixels: Pixels,
  original: { readonly width: number; readonly height: number },
  { region, width, height }: RasterRequest,
): Promise<Uint8Array> {
  const cut = region && cutOf(pixels, original, region);
  const whole = !cut || (cut.width === pixels.width && cut.height === pixels.height);
  if (whole && pixels.width === width && pixels.height === height) return pixels.data.slice();
  const image = fromPixels(pixels);
  if (!whole) image.extract(cut);
  return image.resize({ width, height, fit: 'fill', kernel: resampling }).raw().toBuffer();
}

function cutOf(
  pixels: Pixels,
  original: { readonly width: number; readonly height: number },
  region: Box,
): { left: number; top: number; width: number; height: number } {
  const box = clipBox(region, original.width, original.height);
  const along = (min: number, max: number, length: number, of: number) => {
    const start = Math.min(Math.round((min * length) / of), length - 1);
    return { start, length: Math.max(1, Math.round((max * length) / of) - start) };
  };
  const x = along(box.xMin, box.xMax, pixels.width, original.width);
  const y = along(box.yMin, box.yMax, pixels.height, original.height);
  return { left: x.start, top: y.start, width: x.length, height: y.length };
}
