import { readBmpHeader } from './bmp-header.js';
import { decodeBmp } from './decode-bmp.js';
import { decodeHeic } from './decode-heic.js';
import { decodeJpeg, decodeTo, readHeader, type Size } from './decode-sharp.js';
import { identifyImage } from './identify.js';
import type { FrameSource, ImageLimits, ImageSource } from './image.js';
import { imageOf, type OpenedImage } from './pixel-image.js';
import { checkPixels, reducePixels, workingSize } from './pixels.js';
import { openFrame } from './raw-pixels.js';
import { readSource } from './source.js';
import { neededBytes } from './structure/needed-bytes.js';

interface OpenOptions {
  readonly limits: ImageLimits;
  /** The longer side, in pixels, to which the image may be reduced; 0: no detail is needed. */
  readonly detailPx: number;
  /**
   * Number of rasters and patches that will be read; a single one of the whole image needs no intermediate copy. Default:
   * several.
   */
  readonly rasters?: number;
  /** Called before an AVIF or HEIC is decoded, with its pixels, which cost several times as much as those of other formats. */
  readonly onSlow?: (pixels: number) => void;
}

/**
 * Opens an image and decodes it once, reduced to the needed detail; rasters are then read from that copy. A frame keeps
 * its size: whoever decoded the video chose it. Throws EngineError 'image-empty', 'image-unsupported', 'image-corrupt',
 * 'image-too-large', 'image-too-complex' or 'base64-invalid'; damage beyond the header may be found only by `raster` or `patch` when a single
 * one will be read.
 */
export async function openImage(
  source: ImageSource | FrameSource,
  options: OpenOptions,
): Promise<OpenedImage> {
  const { limits, detailPx } = options;
  if (source.kind === 'frame') return openFrame(source, limits);
  const encoded = readSource(source);
  const kind = identifyImage(encoded);
  const bytes = neededBytes(kind, encoded, limits);
  switch (kind) {
    case 'bmp': {
      const header = readBmpHeader(bytes);
      checkPixels(header.width, header.height, limits);
      return imageOf(kind, await reducePixels(decodeBmp(bytes, header), detailPx));
    }
    case 'heic':
      return imageOf(kind, await reducePixels(await decodeHeic(bytes, limits, options.onSlow), detailPx));
    default: {
      const header = await readHeader(kind, bytes, limits);
      const { width, height } = header;
      const turned = header.orientation === 1 ? {} : { orientation: header.orientation };
      const decodeAs = (size: Size) =>
        kind === 'jpeg' ? decodeJpeg(bytes, header, size, limits) : decodeTo(bytes, header, size);
      const decode = async () => {
        if (kind === 'avif') options.onSlow?.(width * height);
        const pixels = await decodeAs(workingSize(width, height, detailPx));
        return { ...imageOf(kind, { width, height, pixels }), ...turned };
      };
      if (options.rasters !== 1) return decode();
      return {
        kind,
        width,
        height,
        ...turned,
        raster: async (request) =>
          request.region ? (await decode()).raster(request) : (await decodeAs(request)).data,
        patch: async (request) => (await decode()).patch(request),
      };
    }
  }
}
