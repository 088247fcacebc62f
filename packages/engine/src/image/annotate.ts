import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp, { type OverlayOptions } from 'sharp';
import { type Box, clipBox, type Point } from './box.js';
import type { Image } from './image.js';

/** A box to draw, in pixels of the image, and its text. */
export interface Mark {
  readonly box: Box;
  /** Drawn instead of the box's four sides: what the box encloses. */
  readonly polygon?: readonly Point[];
  readonly title: string;
  /** Marks of one group share a colour; unless given, those of one title do. */
  readonly group?: string;
  /** Shown after the title, such as `0.97`. */
  readonly note?: string;
}

// Colours that are distinct on photographs and for colour-blind readers, dark enough for white letters: after Okabe, Ito
// 2008.
const palette = ['#c0392b', '#0072b2', '#00795a', '#a0522d', '#8e44ad', '#b0308a', '#4d5a00', '#2c3e90'];

/** A JPEG of the image at its own size with the marks drawn on it, the first mark on top. */
export async function drawMarks(image: Image, marks: readonly Mark[]): Promise<Buffer> {
  const { width, height } = image;
  const pixels = await image.raster({ width, height });
  const strokePx = Math.max(2, Math.round(Math.max(width, height) / 320));
  const overlays: OverlayOptions[] = [];
  for (const mark of [...marks].reverse()) {
    overlays.push(frameOverlay(mark, strokePx, { width, height }));
    const caption = await captionOverlay(mark, strokePx, { width, height });
    if (caption) overlays.push(caption);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .composite(overlays)
    .jpeg({ quality: 90 })
    .toBuffer();
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function frameOverlay(mark: Mark, strokePx: number, size: Size): OverlayOptions {
  // Half of a polygon's line is outside of it.
  const margin = mark.polygon ? strokePx : 0;
  const { xMin, yMin, xMax, yMax } = mark.box;
  const around = { xMin: xMin - margin, yMin: yMin - margin, xMax: xMax + margin, yMax: yMax + margin };
  const box = clipBox(around, size.width, size.height);
  const left = Math.min(Math.floor(box.xMin), size.width - 1);
  const top = Math.min(Math.floor(box.yMin), size.height - 1);
  const width = Math.max(1, Math.min(Math.ceil(box.xMax), size.width) - left);
  const height = Math.max(1, Math.min(Math.ceil(box.yMax), size.height) - top);
  const inset = strokePx / 2;
  const shape = mark.polygon
    ? `<polygon points="${mark.polygon.map(({ x, y }) => `${x - left},${y - top}`).join(' ')}"`
    : `<rect x="${inset}" y="${inset}" width="${Math.max(0, width - strokePx)}" ` +
      `height="${Math.max(0, height - strokePx)}"`;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
    `${shape} fill="none" stroke="${colourOf(mark)}" stroke-width="${strokePx}"/></svg>`;
  return { input: Buffer.from(svg), left, top };
}

/** Null where the image is too small for the letters. */
async function captionOverlay(mark: Mark, strokePx: number, size: Size): Promise<OverlayOptions | null> {
  const text = escapeMarkup(` ${mark.title}${mark.note ? ` ${mark.note}` : ''} `);
  const { data, info } = await sharp({
    text: {
      text: `<span foreground="white" background="${colourOf(mark)}">${text}</span>`,
      // A bundled font: servers often have none.
      fontfile: fontFile(),
      font: 'DejaVu Sans Bold',
      dpi: 72 * Math.max(1, strokePx / 2),
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
  if (info.width > size.width || info.height > size.height) return null;
  const left = Math.min(Math.max(0, Math.floor(mark.box.xMin)), size.width - info.width);
  const above = Math.floor(mark.box.yMin) - info.height;
  const top = Math.min(
    above >= 0 ? above : Math.max(0, Math.floor(mark.box.yMin)),
    size.height - info.height,
  );
  return { input: data, left, top };
}

function fontFile(): string {
  const folder = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));
  return join(folder, 'ttf', 'DejaVuSans-Bold.ttf');
}

function colourOf({ title, group = title }: Mark): string {
  let hash = 0;
  for (const character of group) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return palette[hash % palette.length] ?? '#c0392b';
}

function escapeMarkup(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
