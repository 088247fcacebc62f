import sharp from 'sharp';
import type { Image } from '../../image/image.js';
import type { SeenView } from './detect.js';
import { wholeView } from './views.js';

/** How an image is turned, clockwise, to see what lies on a side or stands on its head. */
const turnsDeg = [90, -90, 180] as const;
/** In parts of the size at which the upright image is seen: a quarter of the time, and faces that matter are large. */
const size = 0.5;

/** The whole image turned by quarters; reduced once, and then turned without loss. */
export async function takeTurnedViews(image: Image, multiple: number, finest: number): Promise<SeenView[]> {
  const { frame, width, height } = wholeView(image, multiple, finest, size);
  const raw = { width, height, channels: 3 as const };
  const data = await image.raster({ width, height });
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
