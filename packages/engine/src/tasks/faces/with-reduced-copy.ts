import { pictureOf } from '../../image/open-picture.js';
import type { PatchRequest, Picture, RasterRequest } from '../../image/picture.js';

/** Longer side of the copy, in pixels. */
const copySide = 1280;
/** A picture less than this many times larger gains nothing by a copy. */
const worthwhile = 1.3;

/**
 * The same picture, of which everything that shows no more detail than a reduced copy is taken out of that copy: a large
 * face in a large picture is looked at four times, and reducing millions of pixels each time would take longer than
 * recognising it.
 */
export async function withReducedCopy(picture: Picture): Promise<Picture> {
  const { kind, width, height } = picture;
  const scale = copySide / Math.max(width, height);
  if (scale * worthwhile > 1) return picture;
  const size = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  const data = await picture.raster(size);
  const copy = pictureOf(kind, { width, height, pixels: { data, ...size, channels: 3 } });
  const served = (pixelsOfPicture: number, pixelsWanted: number) => pixelsOfPicture * scale >= pixelsWanted;
  return {
    kind,
    width,
    height,
    raster(request: RasterRequest) {
      const { xMin, xMax } = request.region ?? { xMin: 0, xMax: width };
      return (served(xMax - xMin, request.width) ? copy : picture).raster(request);
    },
    patch(request: PatchRequest) {
      const { topLeft, topRight } = request;
      const side = Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y);
      return (served(side, request.width) ? copy : picture).patch(request);
    },
  };
}
