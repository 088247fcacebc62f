import sharp from 'sharp';
import type { Font } from './fonts.js';

export type Background = 'black on white' | 'white on colour' | 'on a photograph';
export const backgrounds: readonly Background[] = ['black on white', 'white on colour', 'on a photograph'];
export const sizesPx = [12, 16, 24, 32, 48] as const;
export const fewSizesPx = [12, 24, 48] as const;
export const anglesDeg = [0, 5, 90, 180] as const;

const width = 960;
const height = 640;
const marginPx = 60;

export interface Drawing {
  readonly lines: readonly string[];
  readonly font: Font;
  readonly sizePx: number;
  readonly background: Background;
  readonly angleDeg: number;
  /** An encoded photograph; made up of gradients and noise where there is none. */
  readonly photo: Buffer | null;
}

/** A PNG of 960x640, turned clockwise, with lines of text on it. Letters are drawn by Pango. */
export async function drawText(drawing: Drawing): Promise<Buffer> {
  const { lines, font, sizePx, background, angleDeg } = drawing;
  const pitchPx = Math.round(sizePx * 1.9);
  const base = await backdropOf(drawing);
  const colour = background === 'black on white' ? 'black' : await contrasting(base);
  const overlays = await Promise.all(
    lines.map(async (line, row) => ({
      input: await sharp({
        text: {
          text: `<span foreground="${colour}">${line}</span>`,
          font: `${font.family} ${sizePx}px`,
          fontfile: font.file,
          dpi: 72,
          rgba: true,
        },
      })
        .png()
        .toBuffer(),
      left: marginPx,
      top: marginPx + row * pitchPx,
    })),
  );
  const flat = await sharp(base).composite(overlays).png().toBuffer();
  const { channels } = await sharp(base).stats();
  const [r = 0, g = 0, b = 0] = channels.map(({ mean }) => mean);
  return sharp(flat).rotate(angleDeg, { background: { r, g, b } }).png().toBuffer();
}

async function backdropOf({ background, photo }: Drawing): Promise<Buffer> {
  const plain = (colour: string) =>
    sharp({ create: { width, height, channels: 3, background: colour } })
      .png()
      .toBuffer();
  if (background === 'black on white') return plain('#ffffff');
  if (background === 'white on colour') return plain('#1f4f8f');
  if (photo) return sharp(photo).resize(width, height, { fit: 'cover' }).png().toBuffer();
  const noise = { type: 'gaussian', mean: 110, sigma: 30 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#606060', noise } })
    .blur(2)
    .png()
    .toBuffer();
}

/** White letters, or black ones where the background is bright. */
async function contrasting(image: Buffer): Promise<string> {
  const { channels } = await sharp(image).greyscale().stats();
  return (channels[0]?.mean ?? 0) > 140 ? 'black' : 'white';
}
