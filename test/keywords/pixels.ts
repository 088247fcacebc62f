import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { openImage } from '@lynceus/engine';
import sharp from 'sharp';

/** A hash of the pixels as the engine decodes them: turned, first frame. */
export async function hashPixels(path: string): Promise<string> {
  const limits = { maxPixels: 1e8 };
  const image = await openImage({ kind: 'file', path }, { limits, detailPx: 1e5 });
  const pixels = await image.raster({ width: image.width, height: image.height });
  return `${image.width}x${image.height} ${hash(pixels)}`;
}

/** Of all frames and pages as they are stored, with how long each is shown. */
export async function hashFrames(path: string): Promise<string> {
  const image = sharp(await readFile(path), { pages: -1 });
  const { pages, delay, loop, width, height, space } = await image.metadata();
  return JSON.stringify({
    pages,
    delay,
    loop,
    width,
    height,
    space,
    pixels: hash(await image.raw().toBuffer()),
  });
}

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
