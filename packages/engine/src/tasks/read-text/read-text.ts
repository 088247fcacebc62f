import type { ModelRef } from '../../catalog/manifest.js';
import { clipBox } from '../../image/box.js';
import type { Task } from '../task.js';
import { faceUpright } from './direction.js';
import { findText } from './find-text.js';
import { sortByReading } from './reading-order.js';
import { recognise } from './recognise.js';
import { cornersOf, enclose } from './strip.js';
import type { ReadTextResult, TextLine } from './text-lines.js';
import type { TextRegion } from './text-regions.js';

export interface ReadTextOptions {
  readonly models: {
    readonly detector: ModelRef;
    readonly recogniser: ModelRef;
    readonly angle: ModelRef;
  };
  /** Score, 0 to 1, from which a line is answered; default 0.5, as PP-OCR has it. */
  readonly minScore?: number;
  /** Pieces of text that are read, the most prominent ones; default 300. Each costs some 20 ms. */
  readonly maxLines?: number;
}

/** Print of 10 pixels in a photograph of 12 megapixels is kept; beyond, memory would grow without more being read. */
const detailPx = 4096;

/** Pieces of text with their places, in reading order. */
export const readText: Task<'readText', ReadTextOptions, ReadTextResult> = {
  name: 'readText',
  detailPx: () => detailPx,
  rasters: () => Number.POSITIVE_INFINITY,
  async run({ picture, load, signal }, { models, minScore = 0.5, maxLines = 300 }) {
    const detector = await load(models.detector);
    const found = await findText({ picture, detector, signal });
    if (found.length === 0) return { lines: [] };
    const prominent = found.sort((a, b) => prominence(b) - prominence(a)).slice(0, maxLines);
    const regions = await faceUpright(picture, await load(models.angle), prominent);
    const recogniser = await load(models.recogniser);
    const lines: TextLine[] = [];
    for (const region of sortByReading(regions)) {
      signal.throwIfAborted();
      const { text, score } = await recognise(picture, recogniser, region);
      if (text === '' || score < minScore) continue;
      const polygon = cornersOf(region.strip);
      lines.push({ text, score, polygon, box: clipBox(enclose(polygon), picture.width, picture.height) });
    }
    return { lines };
  },
};

/** Large and certain text first, where there is more than will be read. */
function prominence({ strip, score }: TextRegion): number {
  return score * Math.min(strip.width, strip.height);
}
