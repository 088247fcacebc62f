import type { Box } from '@lynceus/engine';
import { type Markup, markup } from './markup.js';

/** An image of the dataset as the page shows it. */
export interface ReportImage {
  readonly fileName: string;
  /** As it is meant to be seen. */
  readonly width: number;
  readonly height: number;
  /** A small JPEG of it. */
  readonly jpeg: Uint8Array;
}

export interface ShownMistake {
  readonly image: string;
  readonly lines: readonly string[];
  /** What is labelled, and what was found. */
  readonly expected?: Box | undefined;
  readonly found?: Box | undefined;
}

/** @param images by id; deleted ones are listed by their ids */
export function writeMistakes(
  mistakes: readonly ShownMistake[],
  images: ReadonlyMap<string, ReportImage>,
): Markup {
  if (mistakes.length === 0)
    return markup`<section><h2>Worst mistakes</h2><p>None was made on these images.</p></section>`;
  return markup`<section><h2>Worst mistakes</h2><div class="images">${mistakes.map(
    (mistake) => markup`<figure>${writeImage(mistake, images.get(mistake.image))}
<figcaption>${mistake.lines.map((line) => markup`<span>${line}</span>`)}</figcaption></figure>\n`,
  )}</div></section>`;
}

function writeImage({ image, expected, found }: ShownMistake, shown: ReportImage | undefined): Markup {
  if (!shown) return markup`<p class="gone">image ${image} is there no longer</p>`;
  const source = `data:image/jpeg;base64,${Buffer.from(shown.jpeg).toString('base64')}`;
  return markup`<div class="frame"><img src="${source}" alt="${shown.fileName}">${writeBox('expected', expected, shown)}${writeBox('found', found, shown)}</div>`;
}

function writeBox(name: string, box: Box | undefined, { width, height }: ReportImage): Markup {
  if (!box) return markup``;
  const part = (length: number, whole: number) =>
    `${(100 * Math.min(1, Math.max(0, length / whole))).toFixed(2)}%`;
  const { xMin, yMin, xMax, yMax } = box;
  return markup`<i class="${name}" style="left: ${part(xMin, width)}; top: ${part(yMin, height)}; width: ${part(xMax - xMin, width)}; height: ${part(yMax - yMin, height)}"></i>`;
}
