import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

const fontFolder = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));

/** An image with lines of print, drawn with a font that comes with the program: a machine often has none. */
export async function lettering(
  lines: readonly { readonly text: string; readonly left: number; readonly top: number }[],
): Promise<Buffer> {
  const printed = await Promise.all(
    lines.map(async ({ text, left, top }) => ({
      input: await sharp({
        text: {
          text: `<span foreground="black">${text}</span>`,
          fontfile: join(fontFolder, 'ttf', 'DejaVuSans.ttf'),
          font: 'DejaVu Sans 28',
          dpi: 96,
          rgba: true,
        },
      })
        .png()
        .toBuffer(),
      left,
      top,
    })),
  );
  return sharp({ create: { width: 800, height: 400, channels: 3, background: '#e8f0e0' } })
    .composite(printed)
    .jpeg({ quality: 92 })
    .toBuffer();
}
