import { openImage } from '@lynceus/engine';
import { cutStrip } from '#engine/tasks/read-text/cut-strip.js';
import { findText } from '#engine/tasks/read-text/find-text.js';
import { framed, readingStretch } from '#engine/tasks/read-text/reading-strip.js';
import { cornersOf, enclose, type Strip } from '#engine/tasks/read-text/strip.js';
import type { TextRegion } from '#engine/tasks/read-text/text-regions.js';
import type { LoadedModel } from '#engine/tasks/task.js';
import type { DrawnLine, Page } from './draw-page.js';

/** A line as the recogniser gets it, and what it says. */
export interface LabelledStrip {
  readonly line: DrawnLine;
  /** uint8 [1,48,w,3] */
  readonly tensor: { readonly data: Uint8Array; readonly dims: readonly number[] };
  /** Where it was cut, in pixels of the page. */
  readonly strip: Strip;
}

/** How far a cut may differ from the one that the detector led to: shares of the height, and a factor of the stretch. */
const jitter = { height: 0.12, shift: 0.05, stretch: 0.06 };

/** The lines of a page that the detector found whole, cut as `readText` cuts them, with some variation. */
export async function stripsOf(
  page: Page,
  detector: LoadedModel,
  random: () => number,
): Promise<LabelledStrip[]> {
  const image = await openImage(
    { kind: 'bytes', bytes: page.bytes },
    { limits: { maxPixels: 1e7 }, detailPx: 4096 },
  );
  const regions = await findText({ image, detector, signal: new AbortController().signal });
  const strips: LabelledStrip[] = [];
  for (const line of page.lines) {
    const region = regionOf(line, regions);
    if (region === undefined) continue;
    const { strip } = region;
    const vary = (by: number) => (random() * 2 - 1) * by;
    const height = strip.height * (1 + vary(jitter.height));
    const y = strip.centre.y + vary(jitter.shift) * strip.height;
    const varied = { ...region, strip: { ...strip, height, centre: { x: strip.centre.x, y } } };
    const stretch = readingStretch * (1 + vary(jitter.stretch));
    const cut = framed(varied);
    const { data, dims } = await cutStrip(image, cut, 48, stretch);
    if (data instanceof Uint8Array) strips.push({ line, tensor: { data, dims }, strip: cut });
  }
  return strips;
}

/** The region that is this line and nothing else; undefined where it was found in pieces, merged or not at all. */
function regionOf(line: DrawnLine, regions: readonly TextRegion[]): TextRegion | undefined {
  const near = regions.filter(
    ({ strip: { centre } }) => centre.y > line.top && centre.y < line.top + line.height,
  );
  const [only] = near;
  if (only === undefined || near.length > 1) return undefined;
  const box = enclose(cornersOf(only.strip));
  const slack = line.height * 0.7;
  const isWhole =
    Math.abs(box.xMin - line.left) < slack && Math.abs(box.xMax - line.left - line.width) < slack;
  return isWhole && box.yMax - box.yMin < 2.5 * line.height ? only : undefined;
}
