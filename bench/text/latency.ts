import sharp from 'sharp';
import { formatTable } from '../table.js';
import { drawText } from './draw.js';
import { latinFonts } from './fonts.js';
import type { Reader } from './readers.js';
import { scripts } from './scripts.js';

const rounds = 5;

/** Median milliseconds of one image at a time, decoding included. */
export async function measureLatency(read: Reader, photo: Buffer | null): Promise<void> {
  const rows = [['image', 'without text, ms', 'with six lines, ms', 'lines of 16 px read']];
  const [english] = scripts;
  const [font] = latinFonts;
  if (!english || !font) throw new Error('there is nothing to draw');
  const small = await drawText({
    lines: english.lines,
    font,
    sizePx: 16,
    background: 'black on white',
    angleDeg: 0,
    photo,
  });
  const label = await sharp(small).extract({ left: 40, top: 40, width: 340, height: 220 }).png().toBuffer();
  for (const [width, height] of [
    [640, 480],
    [4000, 3000],
  ] as const) {
    const blank = await withoutText(width, height, photo);
    const withText = await sharp(blank)
      .composite([{ input: label, left: Math.round(width / 4), top: Math.round(height / 4) }])
      .jpeg({ quality: 90 })
      .toBuffer();
    const text = (await read(withText)).replaceAll(' ', '');
    const found = english.lines.filter((line) => text.includes(line.replaceAll(' ', ''))).length;
    rows.push([
      `${width}x${height}`,
      (await median(read, blank)).toFixed(0),
      (await median(read, withText)).toFixed(0),
      `${found} of ${english.lines.length}`,
    ]);
  }
  console.log(`${formatTable(rows)}\n`);
}

function withoutText(width: number, height: number, photo: Buffer | null): Promise<Buffer> {
  const base = photo
    ? sharp(photo).resize(width, height, { fit: 'cover' }).sharpen()
    : sharp({
        create: {
          width,
          height,
          channels: 3,
          background: '#606060',
          noise: { type: 'gaussian', mean: 110, sigma: 12 },
        },
      });
  return base.jpeg({ quality: 90 }).toBuffer();
}

async function median(read: Reader, image: Buffer): Promise<number> {
  await read(image);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await read(image);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
}
