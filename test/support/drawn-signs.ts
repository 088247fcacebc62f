import type { Box } from '@lynceus/engine';
import sharp from 'sharp';
import { drawBadge } from './drawn-badges.js';

const [width, height, side] = [480, 360, 110];

/** A badge and a warning sign beside it, apart from each other. */
export async function drawSigns(
  count: number,
): Promise<{ bytes: Buffer; boxes: { readonly badge: Box; readonly warning: Box } }> {
  const { bytes: ground, box: badge } = await drawBadge(count, true);
  const isLeft = badge.xMin + badge.xMax > width;
  const [left, top] = [isLeft ? 8 : width - side - 8, Math.round((height - side) * ((count * 0.47) % 1))];
  const warning = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 100 100">
    <path d="M50 6 L96 94 L4 94 Z" fill="#f5c800" stroke="#b3121b" stroke-width="7" stroke-linejoin="round"/>
    <rect x="45" y="36" width="10" height="30" fill="#1a1a1a"/><circle cx="50" cy="78" r="6" fill="#1a1a1a"/></svg>`;
  const bytes = await sharp(ground)
    .composite([{ input: Buffer.from(warning), left, top }])
    .png()
    .toBuffer();
  return { bytes, boxes: { badge, warning: { xMin: left, yMin: top, xMax: left + side, yMax: top + side } } };
}
