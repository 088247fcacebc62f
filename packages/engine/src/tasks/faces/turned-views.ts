import sharp from 'sharp';
import type { Picture } from '../../image/picture.js';
import type { SeenView } from './detect.js';
import { wholeView } from './views.js';

/** How a picture is turned, clockwise, to see what lies on a side or stands on its head. */
const turnsDeg = [90, -90, 180] as const;
/** In parts of the size at which the upright picture is seen: a quarter of the time, and faces that matter are large. */
const size = 0.5;

/** The whole picture turned by quarters; reduced once, and then turned without loss. */
export async function takeTurnedViews(
  picture: Picture,
  multiple: number,
  finest: number,
): Promise<SeenView[]> {
  const { frame, width, height } = wholeView(picture, multiple, finest, size);
  const raw = { width, height, channels: 3 as const };
  const data = await picture.raster({ width, height });
  return Promise.all(
    turnsDeg.map(async (angleDeg) => {
      const aside = angleDeg !== 180;
      return {
        frame: {
          centre: frame.centre,
          width: aside ? frame.height : frame.width,
          height: aside ? frame.width : frame.height,
          angleDeg,
        },
        width: aside ? height : width,
        height: aside ? width : height,
        pixels: await sharp(data, { raw }).rotate(-angleDeg).raw().toBuffer(),
      };
    }),
  );
}
