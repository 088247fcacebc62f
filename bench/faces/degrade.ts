import type { Box } from '@lynceus/engine';
import sharp, { type Sharp } from 'sharp';

export interface Subject {
  readonly bytes: Buffer;
  /** Of the face that counts, in pixels of the image. */
  readonly box: Box;
}

export interface Degradation {
  readonly title: string;
  apply(subject: Subject): Promise<Buffer>;
}

/** The whole image is made worse, and the face with it. */
export const degradations: readonly Degradation[] = [
  { title: 'as they are', apply: async ({ bytes }) => bytes },
  { title: 'face shrunk to 40 px', apply: (subject) => shrink(subject, 40) },
  { title: 'face shrunk to 28 px', apply: (subject) => shrink(subject, 28) },
  { title: 'face shrunk to 20 px', apply: (subject) => shrink(subject, 20) },
  { title: 'JPEG quality 20', apply: ({ bytes }) => upright(bytes).jpeg({ quality: 20 }).toBuffer() },
  { title: 'rotated by 45 degrees', apply: ({ bytes }) => rotate(bytes) },
  { title: 'blurred, sigma 3 px of 112', apply: blur },
  { title: 'darkened by 2 stops', apply: ({ bytes }) => darken(bytes) },
];

function upright(bytes: Buffer): Sharp {
  return sharp(bytes).autoOrient().toColourspace('srgb');
}

/** Geometric mean of the sides. */
function sizeOf({ xMin, yMin, xMax, yMax }: Box): number {
  return Math.sqrt((xMax - xMin) * (yMax - yMin));
}

async function shrink({ bytes, box }: Subject, facePx: number): Promise<Buffer> {
  const { data, info } = await upright(bytes)
    .png({ compressionLevel: 1 })
    .toBuffer({ resolveWithObject: true });
  const scale = facePx / sizeOf(box);
  const width = Math.max(1, Math.round(info.width * scale));
  return sharp(data).resize({ width }).png({ compressionLevel: 1 }).toBuffer();
}

/** Grey corners, and not larger than a screen: what is turned is the image and not its file. */
async function rotate(bytes: Buffer): Promise<Buffer> {
  const small = await upright(bytes)
    .resize({ width: 1600, height: 1600, fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 1 })
    .toBuffer();
  return sharp(small).rotate(45, { background: '#808080' }).png({ compressionLevel: 1 }).toBuffer();
}

/** Sigma counts in pixels of a face 112 px large, which is what recognition looks at. */
async function blur({ bytes, box }: Subject): Promise<Buffer> {
  const sigma = (3 * sizeOf(box)) / 112;
  return upright(bytes).blur(sigma).png({ compressionLevel: 1 }).toBuffer();
}

/** A quarter of the light: values of pixels go with its root. */
function darken(bytes: Buffer): Promise<Buffer> {
  return upright(bytes)
    .linear(0.25 ** (1 / 2.2), 0)
    .png({ compressionLevel: 1 })
    .toBuffer();
}
