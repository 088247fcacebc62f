import { readBmpHeader } from './bmp-header.js';
import { type Box, clipBox } from './box.js';
import { decodeBmp } from './decode-bmp.js';
import { decodeHeic } from './decode-heic.js';
import { decodeTo, readHeader } from './decode-sharp.js';
import { identifyImage } from './identify.js';
import type { Image, ImageKind, ImageLimits, ImageSource, RasterRequest } from './image.js';
import { takePatch } from './patch.js';
import {
  checkPixels,
  type DecodedImage,
  fromPixels,
  type Pixels,
  reducePixels,
  resampling,
  workingSize,
} from './pixels.js';
import { readSource } from './source.js';

export interface OpenOptions {
  readonly limits: ImageLimits;
  /** The longer side, in pixels, to which the image may be reduced; 0: no detail is needed. */
  readonly detailPx: number;
  /**
   * Number of rasters and patches that will be read; a single one of the whole image needs no intermediate copy. Default:
   * several.
   */
  readonly rasters?: number;
}

/** An image with its decoded pixels; without them when a single raster will be read. */
export interface OpenedImage extends Image {
  readonly pixels?: Pixels;
}

/**
 * Opens an image and decodes it once, reduced to the needed detail; rasters are then read from that copy. Throws
 * EngineError 'image-empty', 'image-unsupported', 'image-corrupt', 'image-too-large' or 'base64-invalid'; damage
 * beyond the header may be found only by `raster` or `patch` when a single one will be read.
 */
export async function openImage(source: ImageSource, options: OpenOptions): Promise<OpenedImage> {
  const bytes = readSource(source);
  const kind = identifyImage(bytes);
  const { limits, detailPx } = options;
  switch (kind) {
    case 'bmp': {
      const header = readBmpHeader(bytes);
      checkPixels(header.width, header.height, limits);
      return imageOf(kind, await reducePixels(decodeBmp(bytes, header), detailPx));
    }
    case 'heic':
      return imageOf(kind, await reducePixels(await decodeHeic(bytes, limits), detailPx));
    default: {
      const header = await readHeader(kind, bytes, limits);
      const { width, height } = header;
      const decode = async () => {
        const pixels = await decodeTo(bytes, header, workingSize(width, height, detailPx));
        return imageOf(kind, { width, height, pixels });
      };
      if (options.rasters !== 1) return decode();
      return {
        kind,
        width,
        height,
        raster: async (request) =>
          request.region ? (await decode()).raster(request) : (await decodeTo(bytes, header, request)).data,
        patch: async (request) => (await decode()).patch(request),
      };
    }
  }
}

/** An image of decoded pixels. */
export function imageOf(kind: ImageKind, { width, height, pixels }: DecodedImage): OpenedImage {
  const size = { width, height };
  return {
    kind,
    ...size,
    pixels,
    raster: (request) => takeRaster(pixels, size, request),
    patch: (request) => takePatch(pixels, size, request),
  };
}

/** Crops at whole pixels of the decoded copy: a region's edge moves by at most half a pixel. */
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
