import sharp, { type OverlayOptions } from 'sharp';
import type { FontName } from './fonts.js';

const width = 960;
const height = 640;
const marginPx = 24;

/** A line of a page, and where its ink is. */
export interface DrawnLine {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface Page {
  /** Encoded: PNG, or JPEG where the page has been damaged by it. */
  readonly bytes: Buffer;
  readonly lines: readonly DrawnLine[];
}

/** How a page looks. */
export interface PageStyle {
  readonly sizePx: number;
  readonly colour: string;
  readonly background: string;
  /** Sigma of a blur and of noise (0 to 255), quality of a JPEG; 0: none. */
  readonly blur: number;
  readonly noise: number;
  readonly jpegQuality: number;
}

export const plainStyle = {
  colour: '#000000',
  background: '#ffffff',
  blur: 0,
  noise: 0,
  jpegQuality: 0,
} as const;

/** Small letters most often: they are the hardest. Every second page is damaged by a camera's or a codec's doing. */
export function randomStyle(random: () => number): PageStyle {
  const sizePx = random() < 0.5 ? 11 + Math.floor(random() * 8) : 18 + Math.floor(random() * 31);
  const [dark, light] = [grey(random() * 90), grey(170 + random() * 85)];
  const [colour, background] = random() < 0.25 ? [light, dark] : [dark, light];
  const isDamaged = random() < 0.5;
  return {
    sizePx,
    colour: random() < 0.4 ? '#000000' : colour,
    background: random() < 0.4 ? '#ffffff' : background,
    ...(isDamaged
      ? {
          blur: random() < 0.5 ? 0.3 + random() * sizePx * 0.025 : 0,
          noise: random() < 0.5 ? random() * 12 : 0,
          jpegQuality: random() < 0.6 ? 45 + Math.floor(random() * 50) : 0,
        }
      : { blur: 0, noise: 0, jpegQuality: 0 }),
  };

  function grey(level: number): string {
    const parts = [0, 1, 2].map(() => Math.min(255, Math.max(0, Math.round(level + (random() - 0.5) * 60))));
    return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
  }
}

/**
 * An image of 960x640 with lines below each other, drawn by Pango, as many as fit.
 * @param nextLine the text of the next line, of about as many characters, and its font
 */
export async function drawPage(
  style: PageStyle,
  nextLine: (maxCharacters: number) => { readonly text: string; readonly font: FontName } | null,
  random: () => number,
): Promise<Page> {
  const { sizePx } = style;
  const lines: DrawnLine[] = [];
  const overlays: OverlayOptions[] = [];
  let top = marginPx;
  while (top + sizePx * 1.7 < height) {
    const next = nextLine(Math.min(34, Math.floor((width - 2 * marginPx) / (sizePx * 0.62))));
    if (next === null) break;
    const { data, info } = await drawLine(next.text, next.font, style);
    const left = marginPx + Math.floor(random() * Math.max(1, width - 2 * marginPx - info.width));
    if (info.width < width - 2 * marginPx && top + info.height < height - 4) {
      overlays.push({ input: data, left, top });
      lines.push({ text: next.text, left, top, width: info.width, height: info.height });
    }
    top += info.height + Math.ceil(sizePx * (0.5 + random()));
  }
  return { bytes: await damage(await compose(style, overlays), style), lines };
}

export function drawLine(text: string, font: FontName, { colour, sizePx }: PageStyle) {
  const markup = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return sharp({
    text: {
      text: `<span foreground="${colour}">${markup}</span>`,
      font: `${font} ${sizePx}px`,
      dpi: 72,
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
}

function compose({ background }: PageStyle, overlays: OverlayOptions[]): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .composite(overlays)
    .removeAlpha()
    .png()
    .toBuffer();
}

async function damage(page: Buffer, { blur, noise, jpegQuality }: PageStyle): Promise<Buffer> {
  let image = sharp(page);
  if (blur > 0) image = sharp(await image.blur(blur).png().toBuffer());
  if (noise > 0) {
    const grain = { type: 'gaussian', mean: 128, sigma: noise } as const;
    const input = await sharp({ create: { width, height, channels: 3, background: '#808080', noise: grain } })
      .png()
      .toBuffer();
    image = sharp(
      await image
        .composite([{ input, blend: 'soft-light' }])
        .png()
        .toBuffer(),
    );
  }
  return jpegQuality > 0 ? image.jpeg({ quality: jpegQuality }).toBuffer() : image.png().toBuffer();
}
