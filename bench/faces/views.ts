import type { Box } from '@lynceus/engine';
import sharp from 'sharp';

export interface PortraitView {
  readonly title: string;
  /** The view of an upright sRGB image, in which `face` is the person's face. */
  apply(upright: Buffer, face: Box): Promise<Buffer>;
}

/** Turned images are not larger than a screen: what is turned is the image and not its file. */
const maxTurnedSidePx = 1600;

/** One portrait as clients send it: whole, mirrored, reduced, cut in ways that people cut portraits, and held askew. */
export const portraitViews: readonly PortraitView[] = [
  { title: 'original', apply: async (upright) => upright },
  { title: 'mirrored', apply: (upright) => sharp(upright).flop().png({ compressionLevel: 1 }).toBuffer() },
  { title: 'half size', apply: halve },
  { title: 'head', apply: (upright, face) => crop(upright, face, { sides: 2 }) },
  { title: 'tight', apply: (upright, face) => crop(upright, face, { sides: 1.15 }) },
  { title: 'off centre, left', apply: (upright, face) => crop(upright, face, { sides: 2, right: -0.45 }) },
  {
    title: 'off centre, right',
    apply: (upright, face) => crop(upright, face, { sides: 2, right: 0.45, down: 0.3 }),
  },
  { title: 'turned by 10 degrees', apply: turn },
];

async function halve(upright: Buffer): Promise<Buffer> {
  const { width } = await sharp(upright).metadata();
  return sharp(upright)
    .resize({ width: Math.max(1, Math.round(width / 2)) })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/**
 * @param sides of the crop, in multiples of those of the face
 * @param right, down how far the crop is moved, in the same unit; it stays within the image
 */
async function crop(
  upright: Buffer,
  face: Box,
  { sides, right = 0, down = 0 }: { sides: number; right?: number; down?: number },
): Promise<Buffer> {
  const { width, height } = await sharp(upright).metadata();
  const [across, high] = [face.xMax - face.xMin, face.yMax - face.yMin];
  const [x, y] = [(face.xMin + face.xMax) / 2 + right * across, (face.yMin + face.yMax) / 2 + down * high];
  const left = Math.round(Math.max(0, x - (sides * across) / 2));
  const top = Math.round(Math.max(0, y - (sides * high) / 2));
  return sharp(upright)
    .extract({
      left,
      top,
      width: Math.max(1, Math.min(width, Math.round(x + (sides * across) / 2)) - left),
      height: Math.max(1, Math.min(height, Math.round(y + (sides * high) / 2)) - top),
    })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

async function turn(upright: Buffer): Promise<Buffer> {
  const small = await sharp(upright)
    .resize({ width: maxTurnedSidePx, height: maxTurnedSidePx, fit: 'inside', withoutEnlargement: true })
    .toBuffer();
  return sharp(small).rotate(10, { background: '#808080' }).png({ compressionLevel: 1 }).toBuffer();
}
