import { readFileSync, writeFileSync } from 'node:fs';
import { EngineError } from '../errors.js';
import type { Image, ImageKind } from './image.js';
import { imageOf, type OpenedImage } from './open-image.js';

/** A decoded image in a file, for another process to go on from: RGB, 8 bit, interleaved, without any header. */
export interface SharedPixels {
  readonly kind: 'pixels';
  readonly path: string;
  /** Size in pixels of what the file holds. */
  readonly width: number;
  readonly height: number;
  /** What it was decoded from; the size is the oriented original's. */
  readonly image: { readonly kind: ImageKind; readonly width: number; readonly height: number };
}

/**
 * Writes an image's pixels into a file that is there already: where it was removed meanwhile nobody wants them any
 * more, and making it anew would leave it behind. Throws what writing throws.
 */
export function writePixels(path: string, { kind, width, height, pixels }: OpenedImage): SharedPixels {
  if (!pixels) throw new EngineError('internal', 'the image was not decoded for several uses');
  writeFileSync(path, pixels.data, { flag: 'r+' });
  return {
    kind: 'pixels',
    path,
    width: pixels.width,
    height: pixels.height,
    image: { kind, width, height },
  };
}

/** The image as the process that wrote it has it: every raster is the same. */
export function openPixels({ path, width, height, image }: SharedPixels): Image {
  let data: Buffer;
  try {
    data = readFileSync(path);
  } catch (error) {
    throw new EngineError('internal', 'the shared pixels cannot be read', { cause: error });
  }
  if (data.byteLength !== width * height * 3) {
    throw new EngineError('internal', `the shared pixels have ${data.byteLength} bytes`);
  }
  const pixels = { data, width, height, channels: 3 } as const;
  return imageOf(image.kind, { width: image.width, height: image.height, pixels });
}
