import type { GreyImage } from './decoding/frame.js';

export interface MotionOptions {
  /** Whether a place, in fractions of the image, is left out; none is unless given. */
  readonly isMasked?: (x: number, y: number) => boolean;
  /** Difference from which on a cell counts as changed where there is no noise, of 255; 10 unless given. */
  readonly minDifference?: number;
  /** Time in which a change becomes part of the background, in milliseconds; 30 s unless given. */
  readonly adaptMs?: number;
}

/** Noise within a scene is forgotten so fast. */
const quietAdaptMs = 3000;
/** Of the noise's standard deviation; beyond it are some 60 of a million cells. */
const noiseFactor = 4;
/** The standard deviation of a normal distribution by its median absolute deviation. */
const sigmaOfMad = 1.4826;
/** Contrast, in grey values, that is needed to see how it changed. */
const minContrast = 12;

/**
 * Measures how much of a image moves, against a background that follows it slowly (a running average). Changes of the light over the
 * whole image are taken out first: the background is brought to the median and to the contrast of the image. A cell counts when a
 * neighbour has changed as well.
 */
export function createMotionMeter(options: MotionOptions = {}) {
  const { isMasked = () => false, minDifference = 10, adaptMs = 30_000 } = options;
  let scene: Scene | null = null;
  return {
    /** The share of cells that have changed, 0 to 1; 0 for the first image, and for the first of another size. */
    look(image: GreyImage, atMs: number): number {
      if (scene === null || scene.width !== image.width || scene.height !== image.height) {
        scene = createScene(image, atMs, isMasked);
        return 0;
      }
      const { cells, background, changed, width } = scene;
      if (cells.length === 0) return 0;
      const now = quartiles(cells.map((cell) => image.pixels[cell] ?? 0));
      const before = quartiles(cells.map((cell) => background[cell] ?? 0));
      const contrast = before.high - before.low;
      const gain = contrast < minContrast ? 1 : clamp((now.high - now.low) / contrast, 0.5, 2);
      const expected = (cell: number) =>
        clamp(((background[cell] ?? 0) - before.median) * gain + now.median, 0, 255);
      const differences = cells.map((cell) => Math.abs((image.pixels[cell] ?? 0) - expected(cell)));
      const noise = quartiles(differences).median * sigmaOfMad;
      const least = Math.max(minDifference, noise * noiseFactor);
      const elapsedMs = Math.max(0, atMs - scene.atMs);
      scene.atMs = atMs;
      changed.fill(0);
      cells.forEach((cell, index) => {
        const isChanged = (differences[index] ?? 0) > least;
        changed[cell] = isChanged ? 1 : 0;
        const share = 1 - Math.exp(-elapsedMs / (isChanged ? adaptMs : quietAdaptMs));
        const from = expected(cell);
        background[cell] = from + ((image.pixels[cell] ?? 0) - from) * share;
      });
      return (
        cells.filter((cell) => changed[cell] === 1 && hasNeighbour(changed, cell, width)).length /
        cells.length
      );
    },
  };
}

interface Scene {
  readonly width: number;
  readonly height: number;
  /** Those that are not masked. */
  readonly cells: readonly number[];
  readonly background: Float32Array;
  readonly changed: Uint8Array;
  atMs: number;
}

function createScene(
  { width, height, pixels }: GreyImage,
  atMs: number,
  isMasked: (x: number, y: number) => boolean,
): Scene {
  const all = Array.from({ length: width * height }, (_, cell) => cell);
  const cells = all.filter(
    (cell) => !isMasked(((cell % width) + 0.5) / width, (Math.floor(cell / width) + 0.5) / height),
  );
  return {
    width,
    height,
    cells,
    background: Float32Array.from(pixels),
    changed: new Uint8Array(width * height),
    atMs,
  };
}

function hasNeighbour(changed: Uint8Array, cell: number, width: number): boolean {
  const x = cell % width;
  for (const down of [-width, 0, width]) {
    for (const right of [-1, 0, 1]) {
      if (down === 0 && right === 0) continue;
      if (x + right >= 0 && x + right < width && changed[cell + down + right] === 1) return true;
    }
  }
  return false;
}

interface Quartiles {
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

/** Of values from 0 to 255, to a quarter of a grey value. */
function quartiles(values: readonly number[]): Quartiles {
  const counts = new Uint32Array(1024);
  for (const value of values) {
    const bin = Math.min(1023, Math.max(0, Math.round(value * 4)));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  const at = (share: number): number => {
    let left = share * values.length;
    for (let bin = 0; bin < counts.length; bin += 1) {
      left -= counts[bin] ?? 0;
      if (left < 0) return bin / 4;
    }
    return 255;
  };
  return { low: at(0.25), median: at(0.5), high: at(0.75) };
}

const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
