import type { ModelRef } from '../../catalog/manifest.js';
import { EngineError } from '../../errors.js';
import { clipBox } from '../../image/box.js';
import type { Image } from '../../image/image.js';
import { floatsOf, integersOf } from '../output.js';
import type { LoadedModel, Task } from '../task.js';
import { chooseRegions } from './choose-regions.js';
import { cutStrip, stripHeightOf } from './cut-strip.js';
import { decodeCtc } from './decode-ctc.js';
import { faceUpright } from './direction.js';
import { findText } from './find-text.js';
import { sortByReading } from './reading-order.js';
import { framed, readingStretch } from './reading-strip.js';
import { spellOut } from './spaces.js';
import { cornersOf, enclose } from './strip.js';
import type { ReadTextResult, TextLine } from './text-lines.js';
import type { TextRegion } from './text-regions.js';

export interface Reading {
  readonly text: string;
  /** Mean probability of its characters, 0 to 1; 0 for none. */
  readonly score: number;
}

export interface ReadTextOptions {
  readonly models: {
    readonly detector: ModelRef;
    readonly recogniser: ModelRef;
    readonly angle: ModelRef;
  };
  /** Minimum score of a returned line, 0 to 1; default 0.5, as in PP-OCR. */
  readonly minScore?: number;
  /** Pieces of text that are read at most, the most prominent ones; default 300. */
  readonly maxLines?: number;
  /**
   * What is read at most of all their lengths, in pixels at the height of 48 that the recogniser sees them in; default
   * 40,000, some 2,000 characters. A thousand cost some 70 ms.
   */
  readonly maxStripPx?: number;
}

/** Print of 10 pixels in a photograph of 12 megapixels is kept; beyond, memory would grow without more being read. */
const detailPx = 4096;

/** Lines of text with their polygons, in reading order. */
export const readText: Task<'readText', ReadTextOptions, ReadTextResult> = {
  name: 'readText',
  detailPx: () => detailPx,
  rasters: () => Number.POSITIVE_INFINITY,
  async run({ image, load, signal }, { models, minScore = 0.5, maxLines = 300, maxStripPx = 40_000 }) {
    const detector = await load(models.detector);
    const found = await findText({ image, detector, signal });
    if (found.length === 0) return { lines: [] };
    const recogniser = await load(models.recogniser);
    const stripHeightPx = stripHeightOf(recogniser.manifest);
    const chosen = chooseRegions(found, { maxLines, maxWidthPx: maxStripPx, stripHeightPx });
    const regions = await faceUpright(image, await load(models.angle), chosen);
    const lines: TextLine[] = [];
    for (const region of sortByReading(regions)) {
      signal.throwIfAborted();
      const { text, score } = await recognise(image, recogniser, region);
      if (text === '' || score < minScore) continue;
      const polygon = cornersOf(region.strip);
      lines.push({ text, score, polygon, box: clipBox(enclose(polygon), image.width, image.height) });
    }
    return { lines };
  },
};

/** The text of a region, read in its direction. */
async function recognise(image: Image, recogniser: LoadedModel, region: TextRegion): Promise<Reading> {
  const { alphabet } = recogniser.manifest;
  if (!alphabet) throw new EngineError('model-missing', `model ${recogniser.ref.id} has no alphabet`);
  const height = stripHeightOf(recogniser.manifest);
  const tensor = await cutStrip(image, framed(region), height, readingStretch);
  const outputs = await recogniser.run({ image: tensor });
  const classes = integersOf(recogniser, outputs, 'characters');
  const characters = decodeCtc(classes, floatsOf(recogniser, outputs, 'scores'), alphabet);
  const total = characters.reduce((sum, { score }) => sum + score, 0);
  return {
    text: spellOut(characters, outputs['spaces'] && floatsOf(recogniser, outputs, 'spaces')),
    score: characters.length === 0 ? 0 : total / characters.length,
  };
}
