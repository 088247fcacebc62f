import type { FivePoints } from '@lynceus/engine';
import sharp, { type Sharp } from 'sharp';

/** A part of a photograph around a face, reduced so that faces of all photographs have the same size. */
export interface FaceRaster {
  readonly width: number;
  readonly height: number;
  /** RGB, interleaved. */
  readonly pixels: Buffer;
  readonly faceWidth: number;
  readonly points: FivePoints;
}

/** Width of the face in a raster: more pixels than recognition reads, and few enough to be blurred quickly. */
const faceWidthPx = 160;
/** Side of the part, in widths of the face. */
const surroundings = 3;

/** @param box of the face, in pixels of the photograph as it is meant to be seen */
export async function takeRaster(
  photo: Buffer,
  { box, points }: { box: { xMin: number; yMin: number; xMax: number; yMax: number }; points: FivePoints },
): Promise<FaceRaster> {
  const upright = await sharp(photo)
    .autoOrient()
    .toColourspace('srgb')
    .removeAlpha()
    .png({ compressionLevel: 1 })
    .toBuffer();
  const { width, height } = await sharp(upright).metadata();
  const across = box.xMax - box.xMin;
  const [x, y, half] = [(box.xMin + box.xMax) / 2, (box.yMin + box.yMax) / 2, (surroundings * across) / 2];
  const left = Math.max(0, Math.round(x - half));
  const top = Math.max(0, Math.round(y - half));
  const part = {
    left,
    top,
    width: Math.min(width, Math.round(x + half)) - left,
    height: Math.min(height, Math.round(y + half)) - top,
  };
  const scale = Math.min(1, faceWidthPx / across);
  const { data, info } = await sharp(upright)
    .extract(part)
    .resize({ width: Math.max(1, Math.round(part.width * scale)) })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const inPart = (point: { x: number; y: number }) => ({
    x: (point.x - left) * scale,
    y: (point.y - top) * scale,
  });
  const [a, b, c, d, e] = points;
  return {
    width: info.width,
    height: info.height,
    pixels: data,
    faceWidth: across * scale,
    points: [inPart(a), inPart(b), inPart(c), inPart(d), inPart(e)],
  };
}

export function open({ pixels, width, height }: FaceRaster): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
