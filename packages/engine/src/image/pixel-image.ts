import { type Box, clipBox } from './box.js';
import type { Image, ImageKind, RasterRequest } from './image.js';
import { takePatch } from './patch.js';
import { type DecodedImage, fromPixels, type Pixels, resampling } from './pixels.js';

/** An image with its decoded pixels; without them when a single raster will be read. */
export interface OpenedImage extends Image {
  readonly pixels?: Pixels;
}

/** An image of decoded pixels. */
export function imageOf(
  kind: ImageKind | 'frame',
  { width, height, pixels }: DecodedImage,
): OpenedImage & { readonly pixels: Pixels } {
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
  // A copy; `slice` of a Buffer is none.
  if (whole && pixels.width === width && pixels.height === height) return new Uint8Array(pixels.data);
  if (cut && cut.width === width && cut.height === height) return copyCut(pixels, cut);
  const image = fromPixels(pixels);
  if (!whole) image.extract(cut);
  return image.resize({ width, height, fit: 'fill', kernel: resampling }).raw().toBuffer();
}

interface Cut {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Row by row: a pipeline of the image library takes a millisecond for the smallest part. */
function copyCut({ data, width, channels }: Pixels, cut: Cut): Uint8Array {
  const row = cut.width * channels;
  const copy = new Uint8Array(row * cut.height);
  for (let y = 0; y < cut.height; y++) {
    const from = ((cut.top + y) * width + cut.left) * channels;
    copy.set(data.subarray(from, from + row), y * row);
  }
  return copy;
}

function cutOf(
  pixels: Pixels,
  original: { readonly width: number; readonly height: number },
  region: Box,
): Cut {
  const box = clipBox(region, original.width, original.height);
  const along = (min: number, max: number, length: number, of: number) => {
    const start = Math.min(Math.round((min * length) / of), length - 1);
    return { start, length: Math.max(1, Math.round((max * length) / of) - start) };
  };
  const x = along(box.xMin, box.xMax, pixels.width, original.width);
  const y = along(box.yMin, box.yMax, pixels.height, original.height);
  return { left: x.start, top: y.start, width: x.length, height: y.length };
}
