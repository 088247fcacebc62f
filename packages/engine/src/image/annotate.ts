import sharp from 'sharp';
import type { Box, Point } from './box.js';
import { renderCaptions } from './captions.js';
import type { Image } from './image.js';
import { type Canvas, type Colour, type Mask, paintMask, strokeBox, strokePolygon } from './paint.js';
import { type ImageRegion, type ReducedImage, readReduced } from './reduced.js';

/** What to draw, in pixels of the image: a box or a polygon, and its text. */
export type Mark = (
  | {
      readonly box: Box;
      /** Drawn instead of the box's four sides: what the box encloses. */
      readonly polygon?: readonly Point[];
    }
  | { readonly box?: undefined; readonly polygon: readonly Point[] }
) & {
  /** Without it there is no text. */
  readonly title?: string;
  /** Marks of one group share a colour; unless given, those of one title do. */
  readonly group?: string;
  /** Shown after the title, such as `0.97`. */
  readonly note?: string;
};

export interface DrawOptions {
  /** Of the longer side of the drawing; a smaller image, or part of it, keeps its size. Unless given all do. */
  readonly maxSidePx?: number;
  /** The part to draw; marks outside of it are left out. The whole image unless given, or when it is outside. */
  readonly crop?: ImageRegion;
  /** Of the JPEG, 1 to 100; 90 unless given. */
  readonly quality?: number;
}

export interface Drawing {
  readonly jpeg: Uint8Array;
  readonly width: number;
  readonly height: number;
}

// Colours that are distinct on photographs and for colour-blind readers, dark enough for white letters: after Okabe, Ito
// 2008.
const palette: readonly [Colour, ...Colour[]] = [
  [0xc0, 0x39, 0x2b],
  [0x00, 0x72, 0xb2],
  [0x00, 0x79, 0x5a],
  [0xa0, 0x52, 0x2d],
  [0x8e, 0x44, 0xad],
  [0xb0, 0x30, 0x8a],
  [0x4d, 0x5a, 0x00],
  [0x2c, 0x3e, 0x90],
];
const white: Colour = [255, 255, 255];

/**
 * A JPEG of the image with the marks drawn on it, the first mark on top. The image is reduced first: lines and letters
 * have the size that suits the drawing. No SVG is involved, whose loader inference processes do without.
 */
export async function drawMarks(
  image: Image,
  marks: readonly Mark[],
  { maxSidePx = Number.POSITIVE_INFINITY, crop, quality = 90 }: DrawOptions = {},
): Promise<Drawing> {
  const drawing = await readReduced(image, maxSidePx, crop);
  const shown = marks.flatMap((mark) => placeMark(mark, drawing) ?? []);
  await paintMarks(drawing, shown);
  const { data, width, height } = drawing;
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    // Tables of its own would make it a hundredth smaller in three times the time.
    .jpeg({ quality, optimiseCoding: false })
    .toBuffer();
  return { jpeg, width, height };
}

/** A mark in pixels of the drawing. */
interface PlacedMark {
  readonly box: Box;
  readonly polygon: readonly Point[] | undefined;
  readonly colour: Colour;
  readonly text: string;
}

/** Null for a mark outside of the drawing. */
function placeMark(mark: Mark, drawing: ReducedImage): PlacedMark | null {
  const { box: part, width, height } = drawing;
  const place = ({ x, y }: Point): Point => ({
    x: ((x - part.xMin) * width) / (part.xMax - part.xMin),
    y: ((y - part.yMin) * height) / (part.yMax - part.yMin),
  });
  const polygon = mark.polygon?.map(place);
  const box = boundsOf(
    mark.box
      ? [place({ x: mark.box.xMin, y: mark.box.yMin }), place({ x: mark.box.xMax, y: mark.box.yMax })]
      : (polygon ?? []),
  );
  const isInside = box.xMin < width && box.yMin < height && box.xMax >= 0 && box.yMax >= 0;
  if (!isInside) return null;
  const { title = '', note = '', group = title } = mark;
  return { box, polygon, colour: colourOf(group), text: note && title ? `${title} ${note}` : title };
}

/** Letters and lines grow with the drawing. */
async function paintMarks(canvas: Canvas, marks: readonly PlacedMark[]): Promise<void> {
  const strokePx = Math.max(2, Math.round(Math.max(canvas.width, canvas.height) / 320));
  const texts = [...new Set(marks.map(({ text }) => text).filter((text) => text !== ''))];
  const captions = await renderCaptions(texts, 72 * Math.max(1, strokePx / 2));
  const captionOf = new Map(texts.map((text, index) => [text, captions[index]]));
  for (const { box, polygon, colour, text } of [...marks].reverse()) {
    if (polygon) strokePolygon(canvas, polygon, strokePx, colour);
    else strokeBox(canvas, box, strokePx, colour);
    const caption = captionOf.get(text);
    if (caption) paintCaption(canvas, caption, box, colour);
  }
}

/** Above the box where there is room, else within it. Nothing where the image is too small for the letters. */
function paintCaption(canvas: Canvas, caption: Mask, box: Box, colour: Colour): void {
  if (caption.width > canvas.width || caption.height > canvas.height) return;
  const x = Math.min(Math.max(0, Math.floor(box.xMin)), canvas.width - caption.width);
  const above = Math.floor(box.yMin) - caption.height;
  const y = Math.min(above >= 0 ? above : Math.max(0, Math.floor(box.yMin)), canvas.height - caption.height);
  paintMask(canvas, caption, { x, y }, { ink: white, paper: colour });
}

function boundsOf(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return { xMin: Math.min(...xs), yMin: Math.min(...ys), xMax: Math.max(...xs), yMax: Math.max(...ys) };
}

function colourOf(group: string): Colour {
  let hash = 0;
  for (const character of group) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return palette[hash % palette.length] ?? palette[0];
}
