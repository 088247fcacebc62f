import { type FaceRaster, open } from './raster.js';

export type Degrade = (raster: FaceRaster) => Promise<FaceRaster>;

/** @param length of the movement and @param sigma in widths of the face; at 0 degrees it is to the right, clockwise */
export function motion(length: number, angleDeg: number): Degrade {
  return async (raster) => averaged(raster, lineOffsets(length * raster.faceWidth, angleDeg));
}

export function gauss(sigma: number): Degrade {
  return async (raster) => ({
    ...raster,
    pixels: await open(raster)
      .blur(Math.max(0.3, sigma * raster.faceWidth))
      .raw()
      .toBuffer(),
  });
}

/** A mean over a square. */
export function box(side: number): Degrade {
  return async (raster) => {
    const across = await averaged(raster, lineOffsets(side * raster.faceWidth, 0));
    return averaged(across, lineOffsets(side * raster.faceWidth, 90));
  };
}

/** A mean over a disc, as a lens out of focus makes it. */
export function defocus(diameter: number): Degrade {
  return async (raster) => {
    const radius = (diameter * raster.faceWidth) / 2;
    const offsets: [number, number][] = [];
    const step = Math.max(1, radius / 6);
    for (let y = -radius; y <= radius; y += step) {
      for (let x = -radius; x <= radius; x += step) if (Math.hypot(x, y) <= radius) offsets.push([x, y]);
    }
    const disc = await averaged(raster, offsets);
    return {
      ...disc,
      pixels: await open(disc)
        .blur(Math.max(0.3, step / 2))
        .raw()
        .toBuffer(),
    };
  };
}

function lineOffsets(lengthPx: number, angleDeg: number): [number, number][] {
  const angle = (angleDeg * Math.PI) / 180;
  const count = Math.max(1, Math.ceil(lengthPx));
  return Array.from({ length: count }, (_, index) => {
    const at = ((index + 0.5) / count - 0.5) * lengthPx;
    return [at * Math.cos(angle), at * Math.sin(angle)];
  });
}

/** The mean of the raster moved by each of these offsets, as one convolution; its border is repeated. */
async function averaged(
  raster: FaceRaster,
  offsets: readonly (readonly [number, number])[],
): Promise<FaceRaster> {
  const reach = 1 + Math.ceil(Math.max(...offsets.flat().map(Math.abs)));
  const side = 2 * reach + 1;
  const kernel = new Array<number>(side * side).fill(0);
  for (const [right, down] of offsets) {
    const [dx, dy] = [Math.floor(right), Math.floor(down)];
    const [fx, fy] = [right - dx, down - dy];
    const at = (dy + reach) * side + dx + reach;
    const weights = [
      [at, (1 - fx) * (1 - fy)],
      [at + 1, fx * (1 - fy)],
      [at + side, (1 - fx) * fy],
      [at + side + 1, fx * fy],
    ] as const;
    for (const [place, weight] of weights) kernel[place] = (kernel[place] ?? 0) + weight;
  }
  const pixels = await open(raster)
    .convolve({ width: side, height: side, kernel, scale: offsets.length, offset: 0.5 })
    .raw()
    .toBuffer();
  return { ...raster, pixels };
}
