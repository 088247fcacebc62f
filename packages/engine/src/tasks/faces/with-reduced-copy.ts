import { pictureOf } from '../../image/open-picture.js';
import type { PatchRequest, Picture, RasterRequest } from '../../image/picture.js';

/** A picture less than this many times larger gains nothing by a copy. */
const worthwhile = 1.3;

/**
 * The same picture, of which everything that shows no more detail than a reduced copy is taken out of that copy: a large
 * face in a large picture is looked at four times, and reducing millions of pixels each time would take longer than
 * recognising it. What the copy cannot serve is small in the picture too.
 * @param size of the copy, best that of a view which is looked at anyway
 */
export async function withReducedCopy(
  picture: Picture,
  size: { readonly width: number; readonly height: number },
): Promise<Picture> {
  const { kind, width, height } = picture;
  if (size.width * worthwhile > width || size.height * worthwhile > height) return picture;
  const data = await picture.raster(size);
  const pixels = { data, width: size.width, height: size.height, channels: 3 as const };
  const copy = pictureOf(kind, { width, height, pixels });
  const shown = (across: number) => Math.round((across * size.width) / width);
  return {
    kind,
    width,
    height,
    raster(request: RasterRequest) {
      const { xMin, xMax } = request.region ?? { xMin: 0, xMax: width };
      return (shown(xMax - xMin) >= request.width ? copy : picture).raster(request);
    },
    patch(request: PatchRequest) {
      const { topLeft, topRight } = request;
      const across = Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y);
      return (shown(across) >= request.width ? copy : picture).patch(request);
    },
  };
}
