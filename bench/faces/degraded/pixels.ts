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
export function noise(sigma: number): Degrade {
  return async (raster) => {
    const random = seededRandom(1);
    const normal = () => Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random());
    const pixels = Buffer.from(raster.pixels);
    for (const [at, value] of pixels.entries())
      pixels[at] = Math.min(255, Math.max(0, Math.round(value + sigma * normal())));
    return { ...raster, pixels };
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
