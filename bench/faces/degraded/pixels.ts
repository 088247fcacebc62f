import sharp from 'sharp';
import { seededRandom } from '../../accuracy/bootstrap.js';
import type { Degrade } from './blur.js';
import { type FaceRaster, open } from './raster.js';

/** Reduced so that the face is as wide, and enlarged again. */
export function lowResolution(facePx: number, kernel: 'nearest' | 'cubic' = 'cubic'): Degrade {
  return async (raster) => {
    const { width, height, faceWidth } = raster;
    const scale = facePx / faceWidth;
    const small = {
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
    };
    const reduced = await open(raster)
      .resize({ ...small, fit: 'fill', kernel: 'lanczos3' })
      .png()
      .toBuffer();
    return {
      ...raster,
      pixels: await sharp(reduced)
        .resize({ width, height, fit: 'fill', kernel })
        .removeAlpha()
        .raw()
        .toBuffer(),
    };
  };
}

export function jpeg(quality: number): Degrade {
  return async (raster) => {
    const bytes = await open(raster).jpeg({ quality }).toBuffer();
    return { ...raster, pixels: await sharp(bytes).removeAlpha().raw().toBuffer() };
  };
}

export function light(times: number, plus = 0): Degrade {
  return async (raster) => ({ ...raster, pixels: await open(raster).linear(times, plus).raw().toBuffer() });
}

/** @param sigma of 255 */
export function noise(sigma: number, seed = 1): Degrade {
  return async (raster) => {
    const random = seededRandom(seed);
    const normal = () => Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random());
    const pixels = Buffer.from(raster.pixels);
    for (const [at, value] of pixels.entries())
      pixels[at] = Math.min(255, Math.max(0, Math.round(value + sigma * normal())));
    return { ...raster, pixels };
  };
}

/** Lower, as a head seen from above. */
export function flatten(times: number): Degrade {
  return async (raster) => {
    const height = Math.max(1, Math.round(raster.height * times));
    const pixels = await open(raster).resize({ width: raster.width, height, fit: 'fill' }).raw().toBuffer();
    return { ...raster, height, pixels };
  };
}

/**
 * Cut by the border of the image, as a face at its edge.
 * @param part of the face's box that is left, counted from the side that is kept
 */
export function cutAt(side: 'right' | 'left' | 'bottom' | 'top', part: number): Degrade {
  return async (raster) => {
    const { width, height, faceWidth, points } = raster;
    const [nose] = [points[2]];
    const isAcross = side === 'right' || side === 'left';
    // A face is about 1.2 times as high as wide, with the tip of the nose a little below its middle.
    const length = faceWidth * (isAcross ? 1 : 1.2);
    const reach = (part - (isAcross ? 0.5 : side === 'bottom' ? 0.55 : 0.45)) * length;
    const limit = isAcross ? width : height;
    const middle = isAcross ? nose.x : nose.y;
    const cut =
      side === 'right' || side === 'bottom'
        ? { from: 0, to: Math.round(middle + reach) }
        : { from: Math.round(middle - reach), to: limit };
    const [from, to] = [Math.max(0, cut.from), Math.min(limit, cut.to)];
    const kept = isAcross
      ? { left: from, top: 0, width: to - from, height }
      : { left: 0, top: from, width, height: to - from };
    return {
      ...raster,
      width: kept.width,
      height: kept.height,
      pixels: await open(raster).extract(kept).raw().toBuffer(),
    };
  };
}

/** Narrower, as a head that is turned far. */
export function squeeze(times: number): Degrade {
  return async (raster) => {
    const width = Math.max(1, Math.round(raster.width * times));
    const pixels = await open(raster).resize({ width, height: raster.height, fit: 'fill' }).raw().toBuffer();
    return { ...raster, width, pixels };
  };
}

export function inTurn(...steps: readonly Degrade[]): Degrade {
  return async (raster) => {
    let now: FaceRaster = raster;
    for (const step of steps) now = await step(now);
    return now;
  };
}
