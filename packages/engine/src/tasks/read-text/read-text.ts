import type { ModelRef } from '../../catalog/manifest.js';
import { clipBox } from '../../image/box.js';
import type { Task } from '../task.js';
import { chooseRegions } from './choose-regions.js';
import { stripHeightOf } from './cut-strip.js';
import { faceUpright } from './direction.js';
import { borderOf, findText } from './find-text.js';
import { joinPieces } from './join-pieces.js';
import { keepLines } from './keep-lines.js';
import type { TextLanguage } from './languages.js';
import { withDoubtOfLone } from './lone-character.js';
import { sortByReading } from './reading-order.js';
import { recogniseRegions } from './recognise-regions.js';
import { findStackedWords } from './stacked-letters.js';
import { cornersOf, enclose } from './strip.js';
import type { ReadTextResult, TextLine } from './text-lines.js';
import { withBorder } from './with-border.js';

export interface ReadTextOptions {
  readonly models: {
    readonly detector: ModelRef;
    readonly recogniser: ModelRef;
    readonly angle: ModelRef;
  };
  /** Those of the text: only their letters are read. All languages and other characters of the recogniser unless given. */
  readonly languages?: readonly TextLanguage[];
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
  async run(
    { image: original, load, signal },
    { models, languages, minScore = 0.5, maxLines = 300, maxStripPx = 40_000 },
  ) {
    const detector = await load(models.detector);
    const { image, borderPx } = await withBorder(original, borderOf(original, detector.manifest));
    const found = await findText({ image, detector, signal });
    if (found.length === 0) return { lines: [] };
    const recogniser = await load(models.recogniser);
    const stripHeightPx = stripHeightOf(recogniser.manifest);
    const chosen = chooseRegions(found, { maxLines, maxWidthPx: maxStripPx, stripHeightPx });
    const { words, others } = findStackedWords(chosen);
    const upright = await faceUpright(image, await load(models.angle), others);
    const context = { image, recogniser, languages, signal };
    const readings = await recogniseRegions(context, joinPieces(upright), words);
    const placed = readings.map(({ region, reading }) => ({ strip: region.strip, reading }));
    const lines = sortByReading(placed).map(({ strip, reading: { text, score } }): TextLine => {
      const polygon = cornersOf({
        ...strip,
        centre: { x: strip.centre.x - borderPx, y: strip.centre.y - borderPx },
      });
      return { text, score, polygon, box: clipBox(enclose(polygon), original.width, original.height) };
    });
    const isReadTwoWays = readings.some(({ reading }) => reading.isDoubtful);
    return { lines: withDoubtOfLone(keepLines(lines, minScore), isReadTwoWays) };
  },
};
