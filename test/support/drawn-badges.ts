import type { Box } from '@lynceus/engine';
import sharp from 'sharp';

const [width, height] = [480, 360];

/** A badge somewhere on a coloured ground with some other shapes. */
export async function drawBadge(count: number, hasBadge: boolean): Promise<{ bytes: Buffer; box: Box }> {
  const fraction = (factor: number) => (count * factor) % 1;
  const side = Math.round(90 + 80 * fraction(0.37));
  const [x, y] = [Math.round((width - side) * fraction(0.61)), Math.round((height - side) * fraction(0.23))];
  const colour = (shift: number, light: number) => `hsl(${Math.round(360 * fraction(shift))} 50% ${light}%)`;
  const badge = `<g transform="translate(${x} ${y}) scale(${side / 100})"><rect width="100" height="100" rx="18" fill="#f4f0e6" stroke="#1c3f6e" stroke-width="5"/>
    <path d="M20 50 L28 14 L44 34 L56 34 L72 14 L80 50" fill="#d2551c"/><circle cx="50" cy="55" r="25" fill="none" stroke="#1c3f6e" stroke-width="9"/></g>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour(0.29, 70)}"/>
    <ellipse cx="${width * fraction(0.71)}" cy="${height * fraction(0.43)}" rx="90" ry="50" fill="${colour(0.83, 40)}"/>
    <rect x="${width * fraction(0.17)}" y="${height * fraction(0.91)}" width="120" height="70" fill="${colour(0.53, 55)}"/>${hasBadge ? badge : ''}</svg>`;
  const bytes = await sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
  return { bytes, box: { xMin: x, yMin: y, xMax: x + side, yMax: y + side } };
}
