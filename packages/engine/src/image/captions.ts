import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import type { Mask } from './paint.js';

/** Lines rendered at once: more would take memory for the widest of many. */
const maxLines = 32;
/** A longer text is cut. */
const maxCharacters = 80;
/** Any distance between lines, so that there are rows without a pixel between them. */
const spacing = 4;
/** Breaks of lines, control characters, halves of characters, and what reverses the direction of all that follows. */
const unprintable = /[\s\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu;
/** Accents above each other that would reach into other lines. */
const pile = /(\p{M}{3})\p{M}+/gu;
/** Fills its cell, so that it marks the top, the bottom and both ends of a line. It is cut off. */
const block = '\u2588';
/** A column within the block at the start of every line. */
const blockColumn = 2;

/** Letters of Latin, Greek and Cyrillic that the bundled font has. Others may come from fonts of the system, whose lines reach into each other. */
const bundledLetters = /^[ -~\u00a1-\u00ac\u00ae-\u017f\u0391-\u03a1\u03a3-\u03c9\u0400-\u045f]*$/;

/**
 * Renders short texts as white letters on black, with a space before and after each. Twenty texts in letters of the bundled font take
 * as long as two would by themselves, since they are laid out together and cut apart; each other text takes a millisecond.
 * @param dpi 72 gives lines of 15 pixels.
 */
export async function renderCaptions(texts: readonly string[], dpi: number): Promise<Mask[]> {
  const captions = new Map<string, Mask>();
  const add = async (lines: readonly string[]) => {
    const masks = await renderLines(lines, dpi);
    for (const [index, mask] of masks.entries()) captions.set(lines[index] ?? '', mask);
  };
  const different = [...new Set(texts)];
  const bundled = different.filter((text) => bundledLetters.test(text));
  for (let at = 0; at < bundled.length; at += maxLines) await add(bundled.slice(at, at + maxLines));
  for (const text of different) if (!bundledLetters.test(text)) await add([text]);
  return texts.map((text) => captions.get(text) ?? empty);
}

const empty: Mask = { data: new Uint8Array(), width: 0, height: 0 };

async function renderLines(texts: readonly string[], dpi: number): Promise<Mask[]> {
  const { data, info } = await sharp({
    text: {
      text: texts.map(markupOf).join('\n'),
      // A bundled font: servers often have none.
      fontfile: fontFile(),
      font: 'DejaVu Sans Bold',
      dpi,
      rgba: true,
      spacing,
    },
  })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const sheet = { data, width: info.width, height: info.height };
  const rows = rowsOfLines(sheet);
  if (rows.length === texts.length) return rows.map((line) => cutLine(sheet, line));
  // Better none than those of other marks.
  return texts.map(() => empty);
}

/** Lines below each other: RGBA, transparent around them. */
interface Sheet {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** The first row of its block, and the row after the last; all blocks are of one height, whatever fonts the letters are of. */
interface LineRows {
  readonly top: number;
  readonly bottom: number;
}

function rowsOfLines(sheet: Sheet): LineRows[] {
  const rows: LineRows[] = [];
  for (let y = 0; y < sheet.height; y += 1) {
    if (redOf(sheet, blockColumn, y) < 128) continue;
    const last = rows.at(-1);
    if (last?.bottom === y) rows[rows.length - 1] = { top: last.top, bottom: y + 1 };
    else rows.push({ top: y, bottom: y + 1 });
  }
  return rows;
}

/** What is between the two blocks of a line. */
function cutLine(sheet: Sheet, { top, bottom }: LineRows): Mask {
  const middle = (top + bottom) >> 1;
  let left = 0;
  while (left < sheet.width && redOf(sheet, left, middle) >= 128) left += 1;
  let end = left;
  while (end < sheet.width && (sheet.data[4 * (middle * sheet.width + end) + 3] ?? 0) > 0) end += 1;
  const [width, height] = [Math.max(0, end - 2 * left), bottom - top];
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) data[y * width + x] = redOf(sheet, left + x, top + y);
  }
  return { data, width, height };
}

function redOf({ data, width }: Sheet, x: number, y: number): number {
  return data[4 * (y * width + x)] ?? 0;
}

/** A line that starts at the left in any script, in which markup is mere text. */
function markupOf(text: string): string {
  const plain = text.replace(unprintable, ' ').replace(pile, '$1');
  const characters = [...plain];
  const short =
    characters.length > maxCharacters ? [...characters.slice(0, maxCharacters - 1), '…'] : characters;
  const escaped = short.join('').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  // The first character is the left-to-right mark.
  return `\u200e<span foreground="white" background="black">${block} ${escaped} ${block}</span>`;
}

function fontFile(): string {
  const folder = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));
  return join(folder, 'ttf', 'DejaVuSans-Bold.ttf');
}
