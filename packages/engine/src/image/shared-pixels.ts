import { readFileSync, writeFileSync } from 'node:fs';
import { EngineError } from '../errors.js';
import type { Image, ImageKind } from './image.js';
import { imageOf, type OpenedImage } from './open-image.js';

/** A decoded image in a file, for another process: RGB, 8 bit, interleaved, without any header. */
export interface SharedPixels {
  readonly kind: 'pixels';
  readonly path: string;
  /** Size in pixels of what the file holds. */
  readonly width: number;
  readonly height: number;
  /** The encoded image; the size is that of the oriented original. */
  readonly image: { readonly kind: ImageKind; readonly width: number; readonly height: number };
}

/**
 * Writes an image's pixels into an existing file: if it was removed meanwhile, the pixels are no longer needed,
 * and a new file would be left behind. Throws the errors of writing.
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

/** The image as in the process that wrote it: every raster is the same. */
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
