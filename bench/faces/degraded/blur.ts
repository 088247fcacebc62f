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
    const across = averaged(raster, lineOffsets(side * raster.faceWidth, 0));
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
    const disc = averaged(raster, offsets);
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

/** The mean of the raster moved by each of these offsets; its border is repeated. */
function averaged(raster: FaceRaster, offsets: readonly (readonly [number, number])[]): FaceRaster {
  const { width, height, pixels } = raster;
  const sum = new Float32Array(pixels.length);
  for (const [right, down] of offsets) {
    const [dx, dy] = [Math.floor(right), Math.floor(down)];
    const [fx, fy] = [right - dx, down - dy];
    const clampX = (x: number) => Math.min(width - 1, Math.max(0, x));
    const clampY = (y: number) => Math.min(height - 1, Math.max(0, y));
    for (let y = 0; y < height; y++) {
      const [row, next] = [clampY(y + dy) * width, clampY(y + dy + 1) * width];
      for (let x = 0; x < width; x++) {
        const [from, beside] = [clampX(x + dx), clampX(x + dx + 1)];
        const [p, q, r, s] = [(row + from) * 3, (row + beside) * 3, (next + from) * 3, (next + beside) * 3];
        const at = (y * width + x) * 3;
        for (let channel = 0; channel < 3; channel++) {
          const upper = (pixels[p + channel] ?? 0) * (1 - fx) + (pixels[q + channel] ?? 0) * fx;
          const lower = (pixels[r + channel] ?? 0) * (1 - fx) + (pixels[s + channel] ?? 0) * fx;
          sum[at + channel] = (sum[at + channel] ?? 0) + upper * (1 - fy) + lower * fy;
        }
      }
    }
  }
  return { ...raster, pixels: Buffer.from(sum.map((value) => Math.round(value / offsets.length))) };
}
