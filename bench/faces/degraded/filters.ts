import type { Degrade } from './blur.js';
import { lowResolution } from './pixels.js';
import { type FaceRaster, open } from './raster.js';

/** Each channel of each pixel by itself. */
export function curve(toValue: (value: number) => number): Degrade {
  return async (raster) => mapPixels(raster, (value) => toValue(value));
}

export const negative: Degrade = curve((value) => 255 - value);

/** Brighter than the middle is inverted, as a film that was exposed to light while it was developed. */
export const solarised: Degrade = curve((value) => (value > 127 ? 255 - value : value) * 2);

/** @param levels of each channel */
export function posterised(levels: number): Degrade {
  return curve((value) => Math.round((Math.round((value / 255) * (levels - 1)) / (levels - 1)) * 255));
}

export const swappedChannels: Degrade = async (raster) =>
  mapPixels(raster, (_, { pixels }, at) => pixels[at - (at % 3) + (2 - (at % 3))] ?? 0);

export const oneColour: Degrade = async (raster) =>
  mapPixels(raster, (_, source, at) => (at % 3 === 0 ? lumaAt(source, at) : lumaAt(source, at) * 0.15));

/** Black and white, without greys. */
export function twoLevels(threshold: number): Degrade {
  return async (raster) => mapPixels(raster, (_, source, at) => (lumaAt(source, at) > threshold ? 255 : 0));
}

/** @param strength what a step of brightness counts; dark lines on white where `isDark` */
export function edges(strength: number, isDark: boolean): Degrade {
  return async (raster) =>
    mapPixels(raster, (_, source, at) => {
      const step = strength * gradientAt(source, at);
      return isDark ? 255 - step : step;
    });
}

/** Slopes towards the upper left as light and shadow on grey. */
export const relief: Degrade = async (raster) =>
  mapPixels(raster, (_, source, at) => {
    const row = source.width * 3;
    return 128 + 2 * (lumaAt(source, at + row + 3) - lumaAt(source, at - row - 3));
  });

/** Flat colours with dark outlines. */
export const cartoon: Degrade = async (raster) => {
  const flat = await posterised(5)({ ...raster, pixels: await open(raster).median(7).raw().toBuffer() });
  return mapPixels(flat, (value, _, at) => (gradientAt(raster, at) > 60 ? 0 : value));
};

/** @param side of the square whose median each pixel is, in widths of the face: as if painted with a brush */
export function painted(side: number): Degrade {
  return async (raster) => ({
    ...raster,
    pixels: await open(raster)
      .median(Math.max(3, Math.round(side * raster.faceWidth)))
      .raw()
      .toBuffer(),
  });
}

/** Every other stripe is of one colour. @param period of the stripes, in widths of the face */
export function comb(period: number, angleDeg: number, shade: number): Degrade {
  const angle = (angleDeg * Math.PI) / 180;
  return async (raster) =>
    mapPixels(raster, (value, { width, faceWidth }, at) => {
      const pixel = Math.floor(at / 3);
      const along = (pixel % width) * Math.cos(angle) + Math.floor(pixel / width) * Math.sin(angle);
      const phase = along / (period * faceWidth);
      return phase - Math.floor(phase) < 0.5 ? shade : value;
    });
}

/** Every other line moved to a side, as an interlaced picture of something that moves. */
export function interlaced(shift: number): Degrade {
  return async (raster) =>
    mapPixels(raster, (value, { width, faceWidth, pixels }, at) => {
      const row = Math.floor(at / 3 / width);
      const column = Math.floor(at / 3) % width;
      const from = Math.min(width - 1, column + Math.round(shift * faceWidth));
      return row % 2 === 0 ? value : (pixels[(row * width + from) * 3 + (at % 3)] ?? 0);
    });
}

/** Dots whose size stands for the brightness, as in a newspaper. @param period in widths of the face */
export function halftone(period: number): Degrade {
  return async (raster) => {
    const coarse = await lowResolution(1 / period, 'nearest')(raster);
    const size = period * raster.faceWidth;
    return mapPixels(coarse, (_, source, at) => {
      const pixel = Math.floor(at / 3);
      const [x, y] = [(pixel % source.width) / size, Math.floor(pixel / source.width) / size];
      const distance = Math.hypot(x - Math.floor(x) - 0.5, y - Math.floor(y) - 0.5);
      return distance < 0.7 * Math.sqrt(1 - lumaAt(source, at) / 255) ? 0 : 255;
    });
  };
}

/** Pixels of the raster moved in waves. @param size of the waves and @param length in widths of the face */
export function waves(size: number, length: number): Degrade {
  return async (raster) =>
    mapPixels(raster, (_, { width, height, faceWidth, pixels }, at) => {
      const pixel = Math.floor(at / 3);
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      const turn = (2 * Math.PI) / (length * faceWidth);
      const inside = (value: number, limit: number) => Math.min(limit - 1, Math.max(0, Math.round(value)));
      const fromX = inside(x + size * faceWidth * Math.sin(y * turn), width);
      const fromY = inside(y + size * faceWidth * Math.sin(x * turn), height);
      return pixels[(fromY * width + fromX) * 3 + (at % 3)] ?? 0;
    });
}

export const upsideDown: Degrade = async (raster) => ({
  ...raster,
  pixels: await open(raster).rotate(180).raw().toBuffer(),
});

type ToValue = (value: number, source: FaceRaster, at: number) => number;

function mapPixels(raster: FaceRaster, toValue: ToValue): FaceRaster {
  const pixels = Buffer.alloc(raster.pixels.length);
  for (const [at, value] of raster.pixels.entries()) {
    pixels[at] = Math.min(255, Math.max(0, Math.round(toValue(value, raster, at))));
  }
  return { ...raster, pixels };
}

/** ITU-R BT.601, of the pixel to which a value belongs; the border is repeated. */
function lumaAt({ pixels }: FaceRaster, at: number): number {
  const inside = Math.min(pixels.length - 3, Math.max(0, at - (at % 3)));
  return (
    0.299 * (pixels[inside] ?? 0) + 0.587 * (pixels[inside + 1] ?? 0) + 0.114 * (pixels[inside + 2] ?? 0)
  );
}

function gradientAt(source: FaceRaster, at: number): number {
  const row = source.width * 3;
  const across = lumaAt(source, at + 3) - lumaAt(source, at - 3);
  return Math.hypot(across, lumaAt(source, at + row) - lumaAt(source, at - row));
}
