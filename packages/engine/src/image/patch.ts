import type { Point } from './box.js';
import type { PatchRequest } from './image.js';
import { fromPixels, type Pixels, resampling } from './pixels.js';

/** A reduction by less than this is left to the interpolation, which then skips almost nothing. */
export const worthReducing = 1.25;

/** Pixels kept around the crop, so that the filter of a reduction reads past the edge. */
const marginPx = 4;

/** Sources of the answer's pixels: `origin` is its upper left corner, the steps lead to the next pixel. */
interface Grid {
  readonly origin: Point;
  readonly stepX: Point;
  readonly stepY: Point;
}

/**
 * Reads a parallelogram of an image: its bounding box is cropped, reduced where the answer is smaller, and then
 * sampled with bilinear interpolation. Centres of pixels map to centres of pixels exactly. An affine transform of the image library rounds its frame to whole pixels, and computes all of a rotated
 * frame where only a thin strip of it is needed.
 * @param original Size in pixels of the coordinate frame of the request.
 */
export async function takePatch(
  pixels: Pixels,
  original: { readonly width: number; readonly height: number },
  request: PatchRequest,
): Promise<Uint8Array> {
  const { width, height, outside } = request;
  const out = new Uint8Array(width * height * 3);
  if (outside) for (let at = 0; at < out.length; at += 1) out[at] = outside[at % 3] ?? 0;
  const grid = gridOf(request, pixels.width / original.width, pixels.height / original.height);
  const reduced = await reduceFor(pixels, grid, width, height);
  if (reduced !== undefined) sample(reduced.pixels, reduced.grid, out, width, height);
  return out;
}

function gridOf({ topLeft, topRight, bottomLeft, width, height }: PatchRequest, x: number, y: number): Grid {
  const step = (to: Point, count: number) => ({
    x: ((to.x - topLeft.x) * x) / count,
    y: ((to.y - topLeft.y) * y) / count,
  });
  return {
    origin: { x: topLeft.x * x, y: topLeft.y * y },
    stepX: step(topRight, width),
    stepY: step(bottomLeft, height),
  };
}

/** The region that a patch shows, reduced along each axis by the step of the patch; undefined for an empty region. */
async function reduceFor(
  pixels: Pixels,
  grid: Grid,
  width: number,
  height: number,
): Promise<{ readonly pixels: Pixels; readonly grid: Grid } | undefined> {
  const { origin, stepX, stepY } = grid;
  const x = spanOf(origin.x, stepX.x * width, stepY.x * height, pixels.width);
  const y = spanOf(origin.y, stepX.y * width, stepY.y * height, pixels.height);
  if (x === undefined || y === undefined) return undefined;
  const byX = Math.max(1, Math.hypot(stepX.x, stepY.x));
  const byY = Math.max(1, Math.hypot(stepX.y, stepY.y));
  if (Math.max(byX, byY) < worthReducing) return { pixels, grid };
  const size = {
    width: Math.max(1, Math.round(x.length / byX)),
    height: Math.max(1, Math.round(y.length / byY)),
  };
  const data = await fromPixels(pixels)
    .extract({ left: x.start, top: y.start, width: x.length, height: y.length })
    .resize({ ...size, fit: 'fill', kernel: resampling })
    .raw()
    .toBuffer();
  const [scaleX, scaleY] = [size.width / x.length, size.height / y.length];
  const scaled = (point: Point) => ({ x: point.x * scaleX, y: point.y * scaleY });
  return {
    pixels: { data, ...size, channels: 3 },
    grid: {
      origin: scaled({ x: origin.x - x.start, y: origin.y - y.start }),
      stepX: scaled(stepX),
      stepY: scaled(stepY),
    },
  };
}

/** Whole pixels that enclose a parallelogram along one axis, within the image. */
function spanOf(
  origin: number,
  alongX: number,
  alongY: number,
  side: number,
): { readonly start: number; readonly length: number } | undefined {
  const low = origin + Math.min(0, alongX) + Math.min(0, alongY);
  const high = origin + Math.max(0, alongX) + Math.max(0, alongY);
  // Not the reverse: no comparison with NaN holds.
  if (!(low < side && high > 0)) return undefined;
  const start = Math.max(0, Math.floor(low) - marginPx);
  return { start, length: Math.min(side, Math.ceil(high) + marginPx) - start };
}

/** Samples into `out`; pixels whose source is outside the image stay as they are. */
function sample(
  { data, width, height }: Pixels,
  grid: Grid,
  out: Uint8Array,
  outWidth: number,
  outHeight: number,
): void {
  const { origin, stepX, stepY } = grid;
  const [maxX, maxY, row] = [width - 1, height - 1, width * 3];
  for (let j = 0, at = 0; j < outHeight; j++) {
    for (let i = 0; i < outWidth; i++, at += 3) {
      const x = origin.x + stepX.x * (i + 0.5) + stepY.x * (j + 0.5);
      const y = origin.y + stepX.y * (i + 0.5) + stepY.y * (j + 0.5);
      if (!(x >= 0 && y >= 0 && x <= width && y <= height)) continue;
      // Between a border pixel's centre and the border there is nothing to interpolate with.
      const left = Math.min(Math.max(x - 0.5, 0), maxX);
      const top = Math.min(Math.max(y - 0.5, 0), maxY);
      const column = Math.floor(left);
      const line = Math.floor(top);
      const ofRight = left - column;
      const ofBelow = top - line;
      const here = line * row + column * 3;
      const right = column < maxX ? 3 : 0;
      const below = line < maxY ? row : 0;
      for (let channel = 0; channel < 3; channel++) {
        const offset = here + channel;
        const upper = mix(data[offset] ?? 0, data[offset + right] ?? 0, ofRight);
        const lower = mix(data[offset + below] ?? 0, data[offset + below + right] ?? 0, ofRight);
        out[at + channel] = mix(upper, lower, ofBelow) + 0.5;
      }
    }
  }
}

function mix(a: number, b: number, ofB: number): number {
  return a + (b - a) * ofB;
}
