import { type Box, boxArea } from '@lynceus/engine';
import sharp from 'sharp';
import { boxIntersection } from '#engine/image/box.js';
import { readCoco } from '../accuracy/datasets.js';
import { type Half, isInHalf } from '../half.js';

/** An object of a photograph, with soft edges. */
export interface CutOut {
  readonly title: string;
  /** PNG with an alpha channel. */
  readonly png: Buffer;
  /** Width through height. */
  readonly aspect: number;
}

/** Indices into COCO's 80 classes of what moves. */
const titles: ReadonlyMap<number, string> = new Map([
  [0, 'person'],
  [2, 'car'],
  [5, 'bus'],
  [7, 'truck'],
  [15, 'cat'],
  [16, 'dog'],
  [17, 'horse'],
  [20, 'elephant'],
  [23, 'giraffe'],
]);
const minSidePx = 70;
const maxShared = 0.15;
const featherPx = 4;

/** Whole objects of COCO photographs that nothing else hides. Backgrounds are the photographs themselves, blurred until nothing is seen. */
export async function readCutOuts(
  data: string,
  half: Half | undefined,
): Promise<{ readonly cutOuts: CutOut[]; readonly backgrounds: Buffer[] }> {
  const photos = (await readCoco(data)).filter(({ name }) => isInHalf(name, half));
  const cutOuts: CutOut[] = [];
  for (const { bytes, truths } of photos) {
    const { width, height } = await sharp(bytes).metadata();
    const boxes = truths.map(({ relative, classIndex }) => ({
      title: titles.get(classIndex),
      box: {
        xMin: relative.xMin * width,
        yMin: relative.yMin * height,
        xMax: relative.xMax * width,
        yMax: relative.yMax * height,
      },
    }));
    for (const { title, box } of boxes) {
      const others = boxes.filter((other) => other.box !== box).map((other) => other.box);
      if (title === undefined || !isWhole(box, width, height) || !isAlone(box, others)) continue;
      cutOuts.push(await cutOut(bytes, title, box));
    }
  }
  const backgrounds = await Promise.all(photos.slice(0, 12).map(({ bytes }) => blurred(bytes)));
  return { cutOuts, backgrounds };
}

function isWhole({ xMin, yMin, xMax, yMax }: Box, width: number, height: number): boolean {
  return (
    Math.min(xMax - xMin, yMax - yMin) >= minSidePx &&
    xMin > 2 &&
    yMin > 2 &&
    xMax < width - 2 &&
    yMax < height - 2
  );
}

function isAlone(box: Box, others: readonly Box[]): boolean {
  return others.every((other) => boxIntersection(box, other) <= maxShared * boxArea(box));
}

async function cutOut(bytes: Buffer, title: string, { xMin, yMin, xMax, yMax }: Box): Promise<CutOut> {
  const [left, top] = [Math.floor(xMin), Math.floor(yMin)];
  const [width, height] = [Math.floor(xMax) - left, Math.floor(yMax) - top];
  const mask = `<svg width="${width}" height="${height}"><filter id="soft"><feGaussianBlur stdDeviation="${featherPx / 2}"/></filter><rect x="${featherPx}" y="${featherPx}" width="${width - 2 * featherPx}" height="${height - 2 * featherPx}" rx="12" filter="url(#soft)"/></svg>`;
  const pixels = await sharp(bytes)
    .toColourspace('srgb')
    .removeAlpha()
    .extract({ left, top, width, height })
    .png()
    .toBuffer();
  const png = await sharp(pixels)
    .ensureAlpha()
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png()
    .toBuffer();
  return { title, png, aspect: width / height };
}

function blurred(bytes: Buffer): Promise<Buffer> {
  return sharp(bytes)
    .toColourspace('srgb')
    .removeAlpha()
    .resize({ width: 160, height: 100, fit: 'fill' })
    .blur(8)
    .modulate({ saturation: 0.6 })
    .png()
    .toBuffer();
}
