import sharp, { type Sharp } from 'sharp';
import type { Image } from '../../image/image.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pixels of an image or a region of it at some size: RGB, interleaved. */
export interface View extends Size {
  readonly data: Uint8Array;
}

/** The whole image at this size. */
export async function takeView(image: Image, { width, height }: Size): Promise<View> {
  return { data: await image.raster({ width, height }), width, height };
}

/** The whole of a view at a smaller size: far cheaper than reading a large image again. */
export async function shrinkView(view: View, { width, height }: Size): Promise<View> {
  const data = await fromView(view).resize({ width, height, fit: 'fill' }).raw().toBuffer();
  return { data, width, height };
}

/**
 * The whole of a view at a larger size, by bilinear interpolation: the bicubic one of other enlargements takes 1.7 times as long, and this reads no
 * worse (character error rate .257 beside .256 on 144 drawn images of 640x427; paired 95 % interval of the difference -.005 to .008).
 */
export async function enlargeView(view: View, { width, height }: Size): Promise<View> {
  const data = await fromView(view).resize({ width, height, fit: 'fill', kernel: 'linear' }).raw().toBuffer();
  return { data, width, height };
}

/** A region of a view, in its pixels. */
export async function cutView(
  view: View,
  part: Size & { readonly left: number; readonly top: number },
): Promise<View> {
  const { left, top, width, height } = part;
  const data = await fromView(view).extract({ left, top, width, height }).raw().toBuffer();
  return { data, width, height };
}

/** A pipeline of the image library over a view; nothing is copied. */
function fromView({ data, width, height }: View): Sharp {
  return sharp(data, { raw: { width, height, channels: 3 } });
}
