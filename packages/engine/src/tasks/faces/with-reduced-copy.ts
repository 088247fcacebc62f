import type { Image, PatchRequest, RasterRequest } from '../../image/image.js';
import { imageOf } from '../../image/pixel-image.js';

/** An image less than this many times larger gains nothing by a copy. */
const worthwhile = 1.3;

/**
 * The same image, with every region that needs no more detail than a reduced copy read from that copy: a large
 * face in a large image is read four times, and reducing millions of pixels each time would take longer than
 * recognising it. Regions that the copy cannot serve are small in the image.
 * @param size of the copy, best that of a view that is read anyway
 */
export async function withReducedCopy(
  image: Image,
  size: { readonly width: number; readonly height: number },
): Promise<Image> {
  const { kind, width, height } = image;
  if (size.width * worthwhile > width || size.height * worthwhile > height) return image;
  const data = await image.raster(size);
  const pixels = { data, width: size.width, height: size.height, channels: 3 as const };
  const copy = imageOf(kind, { width, height, pixels });
  const shown = (across: number) => Math.round((across * size.width) / width);
  return {
    kind,
    width,
    height,
    raster(request: RasterRequest) {
      const { xMin, xMax } = request.region ?? { xMin: 0, xMax: width };
      return (shown(xMax - xMin) >= request.width ? copy : image).raster(request);
    },
    patch(request: PatchRequest) {
      const { topLeft, topRight } = request;
      const across = Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y);
      return (shown(across) >= request.width ? copy : image).patch(request);
    },
  };
}
