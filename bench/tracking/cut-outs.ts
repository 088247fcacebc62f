import { type Box, boxArea } from '@lynceus/engine';
import sharp from 'sharp';
import { boxIntersection } from '#engine/image/box.js';
import type { ObjectDetection } from '#server/streams/tracking/detections.js';
import { readCoco, readImageNet } from '../accuracy/datasets.js';
import { type Half, isInHalf } from '../half.js';

/** An object of a photograph, with soft edges. */
export interface CutOut {
  readonly title: string;
  /** PNG with an alpha channel. */
  readonly png: Buffer;
  /** Width through height. */
  readonly aspect: number;
}

/** What is found in a photograph. */
export type FindObjects = (bytes: Buffer) => Promise<readonly ObjectDetection[]>;

const minScore = 0.5;
const minSidePx = 60;
const maxShared = 0.2;
const featherPx = 4;
const backgroundCount = 12;

/**
 * Whole objects of photographs that nothing else hides, as the detector finds them. Backgrounds are photographs too, blurred until nothing
 * is seen.
 */
export async function readCutOuts(
  data: string,
  half: Half | undefined,
  find: FindObjects,
): Promise<{ readonly cutOuts: CutOut[]; readonly backgrounds: Buffer[] }> {
  const photos = [...(await readCoco(data)), ...(await readImageNet(data))].filter(({ name }) =>
    isInHalf(name, half),
  );
  const cutOuts: CutOut[] = [];
  for (const { bytes } of photos) {
    const { width, height } = await sharp(bytes).metadata();
    const found = await find(bytes);
    for (const { box, score, label } of found) {
      const others = found.filter((other) => other.box !== box).map((other) => other.box);
      if (score < minScore || !isWhole(box, width, height) || !isAlone(box, others)) continue;
      cutOuts.push(await cutOut(bytes, label.title, box));
    }
  }
  const backgrounds = await Promise.all(photos.slice(0, backgroundCount).map(({ bytes }) => blurred(bytes)));
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
