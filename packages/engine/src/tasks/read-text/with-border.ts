import type { Box, Point } from '../../image/box.js';
import type { Colour, Image } from '../../image/image.js';

/** An image with a plain border, and how wide that is, in pixels of the image. */
interface BorderedImage {
  readonly image: Image;
  readonly borderPx: number;
}

/** Longer side of the copy whose most frequent colour the border gets. */
const samplePx = 64;
/** Colours are counted in so many steps a channel. */
const steps = 16;

/** Levels of a channel by which pixels of a plain margin may differ from the background: noise, and traces of JPEG. */
const plainLevels = 24;

/**
 * The image with a border in its most frequent colour, which in a tight crop of print is that of the paper: letters that touch the edge
 * of an image are found and read only with some background around them. An image that has a plain margin of this width gets none.
 */
export async function withBorder(image: Image, borderPx: number): Promise<BorderedImage> {
  const outside = await backgroundOf(image);
  if (await hasPlainMargin(image, borderPx, outside)) return { image, borderPx: 0 };
  const inner = {
    xMin: borderPx,
    yMin: borderPx,
    xMax: borderPx + image.width,
    yMax: borderPx + image.height,
  };
  const size = { width: image.width + 2 * borderPx, height: image.height + 2 * borderPx };
  const moved = ({ x, y }: Point) => ({ x: x - borderPx, y: y - borderPx });
  const bordered: Image = {
    ...size,
    kind: image.kind,
    async raster({ region = { xMin: 0, yMin: 0, xMax: size.width, yMax: size.height }, width, height }) {
      const data = filled(width * height, outside);
      const x = part(region.xMin, region.xMax, inner.xMin, inner.xMax, width);
      const y = part(region.yMin, region.yMax, inner.yMin, inner.yMax, height);
      if (x.length === 0 || y.length === 0) return data;
      const [left, top] = [x.from - borderPx, y.from - borderPx];
      const seen: Box = { xMin: left, yMin: top, xMax: x.to - borderPx, yMax: y.to - borderPx };
      const rows = await image.raster({ region: seen, width: x.length, height: y.length });
      for (let row = 0; row < y.length; row += 1) {
        data.set(
          rows.subarray(row * x.length * 3, (row + 1) * x.length * 3),
          ((y.start + row) * width + x.start) * 3,
        );
      }
      return data;
    },
    patch: ({ topLeft, topRight, bottomLeft, ...request }) =>
      image.patch({
        outside,
        ...request,
        topLeft: moved(topLeft),
        topRight: moved(topRight),
        bottomLeft: moved(bottomLeft),
      }),
  };
  return { image: bordered, borderPx };
}

async function hasPlainMargin(image: Image, marginPx: number, colour: Colour): Promise<boolean> {
  const { width, height } = image;
  const strips: readonly Box[] = [
    { xMin: 0, yMin: 0, xMax: width, yMax: marginPx },
    { xMin: 0, yMin: height - marginPx, xMax: width, yMax: height },
    { xMin: 0, yMin: 0, xMax: marginPx, yMax: height },
    { xMin: width - marginPx, yMin: 0, xMax: width, yMax: height },
  ];
  for (const region of strips) {
    const size = { width: region.xMax - region.xMin, height: region.yMax - region.yMin };
    const data = await image.raster({ region, ...size });
    if (data.some((value, at) => Math.abs(value - (colour[at % 3] ?? 0)) > plainLevels)) return false;
  }
  return true;
}

/** What of a span lies in an inner one, and where that is when the span is drawn `pixels` long. */
function part(from: number, to: number, innerFrom: number, innerTo: number, pixels: number) {
  const [start, end] = [Math.max(from, innerFrom), Math.min(to, innerTo)];
  const at = (value: number) => Math.round(((value - from) / (to - from)) * pixels);
  return { from: start, to: end, start: at(start), length: Math.max(0, at(end) - at(start)) };
}

/** The mean of the colours in the fullest of coarse steps. */
async function backgroundOf(image: Image): Promise<Colour> {
  const scale = Math.min(1, samplePx / Math.max(image.width, image.height));
  const side = (length: number) => Math.max(1, Math.round(length * scale));
  const data = await image.raster({ width: side(image.width), height: side(image.height) });
  const sums = new Map<number, [count: number, red: number, green: number, blue: number]>();
  let most: [number, number, number, number] = [0, 0, 0, 0];
  for (let at = 0; at < data.length; at += 3) {
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
    const step = (value: number) => Math.floor((value * steps) / 256);
    const key = (step(red) * steps + step(green)) * steps + step(blue);
    const sum = sums.get(key) ?? [0, 0, 0, 0];
    sums.set(key, sum);
    sum[0] += 1;
    sum[1] += red;
    sum[2] += green;
    sum[3] += blue;
    if (sum[0] > most[0]) most = sum;
  }
  const [count, ...totals] = most;
  const [red, green, blue] = totals.map((total) => Math.round(total / Math.max(1, count)));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

function filled(pixels: number, colour: Colour): Uint8Array {
  const data = new Uint8Array(pixels * 3);
  for (let at = 0; at < data.length; at += 1) data[at] = colour[at % 3] ?? 0;
  return data;
}
