import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { between } from '../../kill/chance.js';

export const drawn = ['circle', 'square'] as const;

/** A unique drawing of 160 x 120. */
export function drawImage(shape: (typeof drawn)[number]): Promise<Buffer> {
  const colour = (light: number) => `hsl(${Math.round(between(0, 360))} 60% ${light}%)`;
  const [x, y, size] = [between(50, 110), between(45, 75), between(20, 40)];
  const body =
    shape === 'circle'
      ? `<circle cx="${x}" cy="${y}" r="${size}"/>`
      : `<rect x="${x - size}" y="${y - size}" width="${2 * size}" height="${2 * size}"/>`;
  // Spots make similar images differ.
  const spots = Array.from(
    { length: 12 },
    () =>
      `<circle cx="${between(0, 160)}" cy="${between(0, 120)}" r="${between(3, 12)}" fill="${colour(60)}"/>`,
  ).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><rect width="100%" height="100%" fill="${colour(80)}"/>${spots}<g fill="${colour(30)}">${body}</g></svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().jpeg({ quality: 90 }).toBuffer();
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
