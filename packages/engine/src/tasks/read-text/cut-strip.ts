import type { Picture } from '../../image/picture.js';
import type { Tensor } from '../task.js';
import { cornersOf, type Strip } from './strip.js';

/** A recogniser's steps are eight pixels long. */
const widthMultiple = 8;
const minWidthPx = 16;
/** A line of some 250 characters. What is longer is squeezed. */
const maxWidthPx = 4096;

/**
 * Takes a strip out of the picture, upright, at this height: uint8 [1,h,w,3].
 * @param stretch how much wider it is made than its shape says
 */
export async function cutStrip(
  picture: Picture,
  strip: Strip,
  height: number,
  stretch: number,
): Promise<Tensor> {
  const steps = Math.round((height * stretch * strip.width) / strip.height / widthMultiple);
  const width = Math.min(Math.max(steps * widthMultiple, minWidthPx), maxWidthPx);
  const [topLeft, topRight, , bottomLeft] = cornersOf(strip);
  const data = await picture.patch({ topLeft, topRight, bottomLeft, width, height });
  return { data, dims: [1, height, width, 3] };
}
