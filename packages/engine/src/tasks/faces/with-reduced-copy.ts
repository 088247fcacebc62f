import type { Image, PatchRequest, RasterRequest } from '../../image/image.js';
import { worthReducing } from '../../image/patch.js';
import { imageOf } from '../../image/pixel-image.js';

/** An image less than this many times larger gains nothing by a copy. */
const worthwhile = 1.3;

/**
 * The same image, with every region that needs no more detail than a reduced copy read from that copy: a large
 * face in a large image is read four times, and reducing millions of pixels each time would take longer than
 * recognising it. Copies may be nested, the largest first.
 * @param size of the copy, best that of views that are read anyway
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
  const shownAcross = (across: number) => Math.round((across * size.width) / width);
  const shownDown = (down: number) => Math.round((down * size.height) / height);
  return {
    kind,
    width,
    height,
    raster(request: RasterRequest) {
      const { xMin, yMin, xMax, yMax } = request.region ?? { xMin: 0, yMin: 0, xMax: width, yMax: height };
      const isEnough = shownAcross(xMax - xMin) >= request.width && shownDown(yMax - yMin) >= request.height;
      return (isEnough ? copy : image).raster(request);
    },
    patch(request: PatchRequest) {
      const { topLeft, topRight } = request;
      // Otherwise the copy would be sampled without a filter, and the original is not.
      const across = Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y);
      return (shownAcross(across) >= worthReducing * request.width ? copy : image).patch(request);
    },
  };
}
